export { ADDRESS_LIMITS, keyLimit } from "./address-limits";
export type { Limit } from "./domain/gcra";
export { rateLimitHeaders } from "./headers";
export { deleteIdleBuckets } from "./queries";
export { type Decision, takePermit } from "./take-permit";
