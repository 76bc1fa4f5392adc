import type { Operation } from "./operation";
import { readReportOperation } from "./report";
import { issueChallengeOperation, submitImprintOperation } from "./submission";

/** The whole public HTTP API. */
export const OPERATIONS = [
  issueChallengeOperation,
  submitImprintOperation,
  readReportOperation,
] as const satisfies readonly Operation[];
