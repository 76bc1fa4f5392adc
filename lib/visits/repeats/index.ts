export { describePayload, networkName, type Payload } from "./describe-payload";
export { judgeRepeat, type Repetition } from "./domain/judge-repeat";
export { purgeSightings } from "./purge-sightings";
export { findRepetition, IS_UNSEEN, SIGHTED, sightingValues, TOKEN_NETWORKS } from "./queries";
