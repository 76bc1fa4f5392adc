export * from "./queries-account-lists";
export * from "./queries-accounts";
export * from "./queries-affected";
export * from "./queries-device";
export * from "./queries-device-lists";
export { findChallengeUse, findMatchFacts, findTokenFacts, findVisitFacts, SUBMISSION_FACTS } from "./queries-facts";
export * from "./queries-evidence";
export * from "./queries-history";
export * from "./queries-invented";
export * from "./queries-labels";
export * from "./queries-links";
export * from "./queries-population";
export { deletePayloadObservations, findRepetition } from "./queries-repetition";
export * from "./queries-replay";
export * from "./queries-report";
export * from "./queries-report-lists";
export * from "./queries-retention";
export * from "./queries-rules";
export * from "./queries-signals";
export * from "./queries-sizes";
export {
  COUNTED_AFTER_SECONDS,
  countNewerVisits,
  countOlderVisits,
  deleteSlicesBefore,
  forgetSlices,
  listUncountedSlices,
} from "./queries-slices-count";
export { findHoursWithVisits } from "./queries-slice-hours";
export * from "./queries-slices";
export * from "./queries-slices-values";
export * from "./queries-store";
export { type DeviceVisit, type NewVisit, payloadValues, tokenUseValues } from "./visit-values";
