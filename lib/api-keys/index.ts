export { type ApiKeyPrincipal, authenticateApiKey } from "./authenticate-api-key";
export { createKey } from "./create-key";
export type { KeyKind } from "./domain/key-format";
export type { KeyState } from "./domain/key-state";
export { type Overlap, OVERLAP_SECONDS } from "./domain/overlap";
export { endOverlap } from "./end-overlap";
export { listKeys } from "./list-keys";
export { revokeKey } from "./revoke-key";
export { rotateKey } from "./rotate-key";
