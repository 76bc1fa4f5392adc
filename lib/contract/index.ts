import { readHistoryOperation } from "./history";
import { setLabelOperation } from "./labels";
import {
  addManagedOriginOperation,
  createManagedKeyOperation,
  createManagedWebAppOperation,
  listManagedKeysOperation,
  listManagedWebAppsOperation,
  removeManagedOriginOperation,
  revokeManagedKeyOperation,
  rotateManagedKeyOperation,
  updateManagedWebAppOperation,
} from "./manage";
import type { Operation } from "./operation";
import { listProductsOperation } from "./product";
import { readReportOperation } from "./report";
import { issueChallengeOperation, submitImprintOperation } from "./submission";
import { readProxyKeyOperation } from "./visitor";
import { activateIntentOperation, createIntentOperation, readIntentOperation, readTrialGrantOperation } from "./trial";
import { buyTrialOperation } from "./trial-purchase";

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
  buyTrialOperation,
  readHistoryOperation,
  listManagedWebAppsOperation,
  createManagedWebAppOperation,
  updateManagedWebAppOperation,
  addManagedOriginOperation,
  removeManagedOriginOperation,
  listManagedKeysOperation,
  createManagedKeyOperation,
  rotateManagedKeyOperation,
  revokeManagedKeyOperation,
  setLabelOperation,
] as const satisfies readonly Operation[];
