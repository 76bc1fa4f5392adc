export {
  type Account,
  deleteAccountRows,
  findPreview,
  findStatistics,
  insertLink,
  linkTogether,
} from "./queries-accounts";
export { selectStatistics } from "./queries-accounts";
export { listAccountDevices, listAccountVisits } from "./queries-account-export";
export {
  findLink,
  hasAccount,
  listAccountsOnDevice,
  listDevicesOfAccount,
  MAX_COUNTED,
  sumAccount,
} from "./queries-account-lists";
export { deleteDeviceRows, deleteVisitsOfDevice, lockDevice } from "./queries-deletion";
export { findDevice, listLinks, type ShadowCounts, sumShadows } from "./queries-device";
export { listAddresses, listStoredVisits, type VisitPosition } from "./queries-device-export";
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
