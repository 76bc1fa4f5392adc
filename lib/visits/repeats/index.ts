export { describePayload, networkName, type Payload } from "./describe-payload";
export { evaluateRepeat, type Repetition } from "./domain/evaluate-repeat";
export { purgeSightings } from "./purge-sightings";
export { findRepetition, IS_UNSEEN, SIGHTED, sightingValues, TOKEN_NETWORKS } from "./queries";
