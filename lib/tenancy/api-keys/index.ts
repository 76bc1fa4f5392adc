export {
  authenticateApiKey,
  authenticateApiKeyBy,
  type KeyLookup,
  findPresentedEndedKey,
} from "./authenticate-api-key";
export { announceExpiringKeys } from "./announce-expiring-keys";
export { countRecentCalls } from "./count-recent-calls";
export { createKey } from "./create-key";
export type { KeyKind } from "./domain/key-format";
export { type Overlap, OVERLAP_SECONDS } from "./domain/overlap";
export { endOverlap } from "./end-overlap";
export { drawKey, newManagementSecret, presentedManagementHashes } from "./key-hash";
export { extendOverlap } from "./extend-overlap";
export { listFailingKeys } from "./list-failing-keys";
export { listKeys, nameKeys, requireKey } from "./list-keys";
export { flushKeyUses, recordKeyUse } from "./record-key-use";
export { purgeKeyUses } from "./purge-key-uses";
export type { ApiKeyPrincipal } from "./principal";
export {
  findUsableKey,
  isKeyUsableIn,
  isPepperInUse,
  toUsableKey,
  USABLE_KEY,
  type UsableKeyRow,
  usableKeyValues,
} from "./queries";
export { dateDemoKey, insertDemoUses } from "./queries-demo";
export { readKeyUses } from "./read-key-uses";
export { requireKeyText } from "./require-key-text";
export { revokeKey } from "./revoke-key";
export { revokeUnusedKeys } from "./revoke-unused-keys";
export { rotateKey } from "./rotate-key";
