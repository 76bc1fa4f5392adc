const NAMES: Record<string, string> = {
  readReport: "Read a Report",
  readHistory: "Read History",
  issueChallenge: "Ask for a challenge",
  submitImprint: "Submit a visit",
  readProxyKey: "Get a proxy's signing secret",
  readTrialGrant: "Read the trial's grant",
};

/** Label of an API operation; its id if there is none. */
export const operationName = (operation: string): string => NAMES[operation] ?? operation;
