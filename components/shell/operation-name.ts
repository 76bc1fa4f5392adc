import type { UsageOperation } from "@/lib/metering";

const NAMES: Record<UsageOperation, string> = {
  readReport: "Read a Report",
  readHistory: "Read History",
  issueChallenge: "Ask for a challenge",
  submitImprint: "Submit a visit",
  readProxyKey: "Get a proxy's signing secret",
  listProducts: "List products",
  createTrialIntent: "Start a purchase",
  activateTrialIntent: "Pay for a purchase",
  readTrialIntent: "Read a purchase",
  buyTrial: "Buy a trial",
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
  setLabel: "Set a label",
};
const LABELS = new Map<string, string>(Object.entries(NAMES));

/** Label of an API operation; the id of one that a later release recorded. */
export const operationName = (operation: string): string => LABELS.get(operation) ?? operation;
