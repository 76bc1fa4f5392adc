const NAMES: Record<string, string> = {
  readReport: "Read a Report",
  readHistory: "Read History",
  issueChallenge: "Ask for a challenge",
  submitImprint: "Submit a visit",
  readProxyKey: "Get a proxy's signing secret",
  readTrialGrant: "Read the trial's grant",
  listManagedWebApps: "List Web Apps",
  createManagedWebApp: "Create a Web App",
  updateManagedWebApp: "Change a Web App",
  addManagedOrigin: "Allow an origin",
  removeManagedOrigin: "Remove an origin",
  listManagedKeys: "List API keys",
  createManagedKey: "Create an API key",
  rotateManagedKey: "Rotate an API key",
  revokeManagedKey: "Revoke an API key",
};

/** Label of an API operation; its id if there is none. */
export const operationName = (operation: string): string => NAMES[operation] ?? operation;
