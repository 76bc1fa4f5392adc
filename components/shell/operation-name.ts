const NAMES: Record<string, string> = {
  readReport: "Read a Report",
  readHistory: "Read History",
  issueChallenge: "Ask for a challenge",
  submitImprint: "Submit a visit",
  readTrialGrant: "Read the trial's grant",
};

/** An operation of the API in words; its id where there are none. */
export const operationName = (operation: string): string => NAMES[operation] ?? operation;
