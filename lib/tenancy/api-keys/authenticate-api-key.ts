import { LRUCache } from "lru-cache";

import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { log } from "@/lib/platform/log";
import { presentedKeyHashes } from "./key-hash";
import type { ApiKeyPrincipal, StoredKey } from "./principal";
import { findKeyPlace, findUsableKey, type KeyPlace, touchKey } from "./queries";

/** Reads a key, unless it is revoked or expired. */
export type KeyLookup<Found extends ApiKeyPrincipal = ApiKeyPrincipal> = (
  db: Db,
  place: KeyPlace,
) => Promise<(Found & StoredKey) | undefined>;

const inFlight = new Set<string>();

/** Records the use of a key in the background, so that a failure does not fail the request. */
function recordKeyUse(db: Db, { workspaceId, keyId }: KeyPlace): void {
  if (inFlight.has(keyId)) return;
  inFlight.add(keyId);
  touchKey(db, workspaceId, keyId)
    .catch((error: unknown) => {
      log.warn({ err: error, keyId }, "the use of an API key was not recorded");
    })
    .finally(() => inFlight.delete(keyId));
}

/**
 * Workspace and id of the keys seen by this process, by hash. These never change; whether a key is usable is read every
 * time. Unknown keys are not cached, so invented ones cannot fill the cache.
 */
const places = new LRUCache<string, KeyPlace>({ max: 10_000 });

const nameOf = (keyHash: Uint8Array) => Buffer.from(keyHash).toString("base64");

/** The cached place of a key, under its hash for any pepper. */
const knownPlace = (names: readonly string[]): KeyPlace | undefined => {
  for (const name of names) {
    const place = places.get(name);
    if (place) return place;
  }
  return undefined;
};

/** Looks a key up, with one round trip per pepper until it is found. */
async function lookUp(db: Db, presented: string): Promise<KeyPlace | undefined> {
  for (const keyHash of presentedKeyHashes(presented)) {
    const place = await findKeyPlace(db, keyHash);
    if (!place) continue;
    places.set(nameOf(keyHash), place);
    return place;
  }
  return undefined;
}

const isSame = (one: KeyPlace, other: KeyPlace) => one.workspaceId === other.workspaceId && one.keyId === other.keyId;

/** The presented key if it is usable, through its cached place or else a look-up. */
async function findPresented<Found extends ApiKeyPrincipal>(findKey: KeyLookup<Found>, db: Db, presented: string) {
  const names = presentedKeyHashes(presented).map(nameOf);
  const known = knownPlace(names);
  const found = known && (await findKey(db, known));
  if (found || names.length === 0) return found;
  // Unusable, or the cached place is stale: in a restored database the key may belong to another workspace.
  for (const name of names) places.delete(name);
  const place = await lookUp(db, presented);
  return place && !(known && isSame(place, known)) ? await findKey(db, place) : undefined;
}

/**
 * The principal of a presented API key, as read by `findKey`. Malformed, unknown, expired and revoked keys get the same
 * refusal; a malformed key or a wrong checksum is refused without a query. A key that this process has seen takes one
 * round trip; otherwise there is one more per pepper.
 *
 * @throws AppError `auth_failed`
 */
export async function authenticateApiKeyBy<Found extends ApiKeyPrincipal>(
  findKey: KeyLookup<Found>,
  db: Db,
  presented: string,
) {
  const found = await findPresented(findKey, db, presented);
  if (!found) throw new AppError("auth_failed");
  const { isUseStale, ...principal } = found;
  if (isUseStale) recordKeyUse(db, found);
  return principal;
}

/**
 * The principal of a presented API key.
 *
 * @throws AppError `auth_failed`
 */
export const authenticateApiKey = (db: Db, presented: string): Promise<ApiKeyPrincipal> =>
  authenticateApiKeyBy(findUsableKey, db, presented);

/** The presented key after it was refused as expired or revoked, for its log. Authentication has cached it. */
export const findPresentedEndedKey = (presented: string): KeyPlace | undefined =>
  knownPlace(presentedKeyHashes(presented).map(nameOf));
