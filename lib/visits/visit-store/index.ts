export {
  type Account,
  deleteAccountRows,
  findPreview,
  findStatistics,
  insertLink,
  linkTogether,
  selectStatistics,
} from "./queries-accounts";
export {
  findLink,
  hasAccount,
  listAccountDevices,
  listAccountsOnDevice,
  listAccountVisits,
  listDevicesOfAccount,
  MAX_COUNTED,
  sumAccount,
} from "./queries-account-lists";
export {
  deleteDeviceRows,
  deleteVisitsOfDevice,
  findDevice,
  listAddresses,
  listLinks,
  listStoredVisits,
  lockDevice,
  type ShadowCounts,
  sumShadows,
  type VisitPosition,
} from "./queries-device";
export {
  type DevicePosition,
  type DeviceSummary,
  listAddressesOf,
  listDevicesAt,
  listSeenDevices,
  summariseDevices,
  sumRange,
} from "./queries-device-lists";
export { findChallengeUse, findMatchFacts, findTokenFacts, findVisitFacts, SUBMISSION_FACTS } from "./queries-facts";
export { countHistory, findDeviceOfVisit, historyStatement } from "./queries-history";
export { hasVisits, insertInvented } from "./queries-invented";
export {
  deleteOldTokenObservations,
  findPopulationSample,
  findTallies,
  freeDisprovedTokens,
  listTallies,
  listUncountedWorkspaces,
  savePopulation,
  tallyStrata,
} from "./queries-population";
export { deletePayloadObservations, findRepetition } from "./queries-repetition";
export { findKeyWithReport, findReport, type StoredReport } from "./queries-report";
export {
  type CountRow,
  countVisits,
  findFirstVisit,
  findVisit,
  listDeviceVisits,
  listVisits,
  type PreparedFilter,
} from "./queries-report-lists";
export {
  deleteOldChallengeUses,
  deleteOldDeviceAddresses,
  deleteVisitsBefore,
  eraseSignals,
  measureVisits,
} from "./queries-retention";
export { appendDeviceVisit, appendVisit, storeAppended, storeInOneStatement } from "./queries-store";
export { type DeviceVisit, type NewVisit, payloadValues, tokenUseValues } from "./visit-values";
