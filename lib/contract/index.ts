import { readHistoryOperation } from "./history";
import type { Operation } from "./operation";
import { listProductsOperation } from "./product";
import { readReportOperation } from "./report";
import { issueChallengeOperation, submitImprintOperation } from "./submission";
import { readProxyKeyOperation } from "./visitor";
import { activateIntentOperation, createIntentOperation, readIntentOperation, readTrialGrantOperation } from "./trial";

/** The whole public HTTP API. */
export const OPERATIONS = [
  issueChallengeOperation,
  submitImprintOperation,
  readProxyKeyOperation,
  readReportOperation,
  listProductsOperation,
  createIntentOperation,
  activateIntentOperation,
  readIntentOperation,
  readTrialGrantOperation,
  readHistoryOperation,
] as const satisfies readonly Operation[];
