import type { Db } from "@/db/client";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import type { Plan } from "@/lib/workspaces";
import type { KeyKind } from "./domain/key-format";
import { presentedKeyHashes } from "./key-hash";
import { findEndedKey, findUsableKey, touchKey } from "./queries";

/** Whom an API key stands for. */
export type ApiKeyPrincipal = { workspaceId: string; keyId: string; kind: KeyKind; plan: Plan };

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
 * The principal behind a presented API key. Malformed, unknown, expired and revoked keys are refused alike;
 * a key whose checksum is wrong is refused without asking the database.
 *
 * @throws AppError `auth_failed`
 */
export async function authenticateApiKey(db: Db, presented: string): Promise<ApiKeyPrincipal> {
  const hashes = presentedKeyHashes(presented);
  const found = hashes.length === 0 ? undefined : await findUsableKey(db, hashes);
  if (!found) throw new AppError("auth_failed");
  const { isUseStale, ...principal } = found;
  if (isUseStale) noteKeyUse(db, principal);
  return principal;
}

/** Whose key was presented, though it is expired or revoked and opens nothing: for the log of that key. */
export async function whoseEndedKey(
  db: Db,
  presented: string,
): Promise<Pick<ApiKeyPrincipal, "workspaceId" | "keyId"> | undefined> {
  const hashes = presentedKeyHashes(presented);
  return hashes.length === 0 ? undefined : await findEndedKey(db, hashes);
}
