import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { log } from "@/lib/platform/log";
import { presentedKeyHashes } from "./key-hash";
import type { ApiKeyPrincipal, StoredKey } from "./principal";
import { findEndedKey, findUsableKey, touchKey } from "./queries";

/** Reads the key of a hash, unless it is revoked or expired: alone, or with more in the same statement. */
export type KeyLookup<Found extends ApiKeyPrincipal = ApiKeyPrincipal> = (
  db: Db,
  keyHash: Uint8Array,
) => Promise<(Found & StoredKey) | undefined>;

const beingNoted = new Set<string>();

/** Notes the use of a key beside the request: a failure must not cost the answer. */
function noteKeyUse(db: Db, { workspaceId, keyId }: Pick<ApiKeyPrincipal, "workspaceId" | "keyId">): void {
  if (beingNoted.has(keyId)) return;
  beingNoted.add(keyId);
  touchKey(db, workspaceId, keyId)
    .catch((error: unknown) => {
      log.warn({ err: error, keyId }, "the use of an API key was not noted");
    })
    .finally(() => beingNoted.delete(keyId));
}

/**
 * The principal behind a presented API key, as `findKey` reads it. Malformed, unknown, expired and revoked keys are
 * refused alike; a key whose checksum is wrong is refused without asking the database. One round trip for each pepper
 * that is asked under.
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
    if (isUseStale) noteKeyUse(db, found);
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

/** Whose key was presented, though it is expired or revoked and opens nothing: for the log of that key. */
export async function whoseEndedKey(
  db: Db,
  presented: string,
): Promise<Pick<ApiKeyPrincipal, "workspaceId" | "keyId"> | undefined> {
  const hashes = presentedKeyHashes(presented);
  return hashes.length === 0 ? undefined : await findEndedKey(db, hashes);
}
