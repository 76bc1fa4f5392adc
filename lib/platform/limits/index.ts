export {
  ACTIVATION_LIMIT,
  ADDRESS_LIMITS,
  CLIENT_LIMIT,
  environmentLimit,
  keyLimit,
  MANAGEMENT_LIMIT,
  SIGN_IN_LIMIT,
  SIGN_IN_LINK_LIMIT,
  failureModeOf,
} from "./address-limits";
export { CATALOG_LIMITS } from "./catalog-limits";
export { rateLimitHeaders } from "./headers";
export { deleteIdleBuckets } from "./queries";
export { reachRedis } from "./reach-redis";
export { closeRedis } from "./redis-store";
export { type Decision, knownRefusal, takePermit, takePermitAndRead } from "./take-permit";
