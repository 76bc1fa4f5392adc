import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { log } from "@/lib/platform/log";
import { presentedKeyHashes } from "./key-hash";
import type { ApiKeyPrincipal, StoredKey } from "./principal";
import { findEndedKey, findUsableKey, touchKey } from "./queries";

/** Reads the key of a hash, unless it is revoked or expired. */
export type KeyLookup<Found extends ApiKeyPrincipal = ApiKeyPrincipal> = (
  db: Db,
  keyHash: Uint8Array,
) => Promise<(Found & StoredKey) | undefined>;

const inFlight = new Set<string>();

/** Records the use of a key in the background: a failure must not fail the request. */
function recordKeyUse(db: Db, { workspaceId, keyId }: Pick<ApiKeyPrincipal, "workspaceId" | "keyId">): void {
  if (inFlight.has(keyId)) return;
  inFlight.add(keyId);
  touchKey(db, workspaceId, keyId)
    .catch((error: unknown) => {
      log.warn({ err: error, keyId }, "the use of an API key was not recorded");
    })
    .finally(() => inFlight.delete(keyId));
}

/**
 * The principal behind a presented API key, as `findKey` reads it. Malformed, unknown, expired and revoked keys are
 * refused alike; a key with a wrong checksum is refused without a query. One round trip for each pepper.
 *
 * @throws AppError `auth_failed`
 */
export async function authenticateApiKeyBy<Found extends ApiKeyPrincipal>(
  findKey: KeyLookup<Found>,
  db: Db,
  presented: string,
) {
  for (const keyHash of presentedKeyHashes(presented)) {
    const found = await findKey(db, keyHash);
    if (!found) continue;
    const { isUseStale, ...principal } = found;
    if (isUseStale) recordKeyUse(db, found);
    return principal;
  }
  throw new AppError("auth_failed");
}

/**
 * The principal behind a presented API key.
 *
 * @throws AppError `auth_failed`
 */
export const authenticateApiKey = (db: Db, presented: string): Promise<ApiKeyPrincipal> =>
  authenticateApiKeyBy(findUsableKey, db, presented);

/** The expired or revoked key that was presented, for its log. */
export async function findPresentedEndedKey(
  db: Db,
  presented: string,
): Promise<Pick<ApiKeyPrincipal, "workspaceId" | "keyId"> | undefined> {
  const hashes = presentedKeyHashes(presented);
  return hashes.length === 0 ? undefined : await findEndedKey(db, hashes);
}
