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

/** Records the use of a key in the background: a failure must not fail the request. */
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
 * Whose the keys are that this process has met, by their hashes. That never changes; whether a key is usable is read each
 * time. Keys that are not stored are not remembered, so callers with invented ones take no room.
 */
const places = new LRUCache<string, KeyPlace>({ max: 10_000 });

const nameOf = (keyHash: Uint8Array) => Buffer.from(keyHash).toString("base64");

/** What this process knows of a key; its hashes are one for each pepper. */
const knownPlace = (names: readonly string[]): KeyPlace | undefined => {
  for (const name of names) {
    const place = places.get(name);
    if (place) return place;
  }
  return undefined;
};

/** Looks a key up; one round trip for each pepper until it is found. */
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

/** The usable key that was presented, by what is known of it, or else by what is looked up. */
async function findPresented<Found extends ApiKeyPrincipal>(findKey: KeyLookup<Found>, db: Db, presented: string) {
  const names = presentedKeyHashes(presented).map(nameOf);
  const known = knownPlace(names);
  const found = known && (await findKey(db, known));
  if (found || names.length === 0) return found;
  // Not usable, or of another database: one that was restored holds the key elsewhere.
  for (const name of names) places.delete(name);
  const place = await lookUp(db, presented);
  return place && !(known && isSame(place, known)) ? await findKey(db, place) : undefined;
}

/**
 * The principal behind a presented API key, as `findKey` reads it. Malformed, unknown, expired and revoked keys are
 * refused alike; a key with a wrong checksum is refused without a query. One round trip for a key that this process has
 * met; else one more for each pepper.
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
 * The principal behind a presented API key.
 *
 * @throws AppError `auth_failed`
 */
export const authenticateApiKey = (db: Db, presented: string): Promise<ApiKeyPrincipal> =>
  authenticateApiKeyBy(findUsableKey, db, presented);

/** The expired or revoked key that was presented, for its log: known by now, if there is one. */
export const findPresentedEndedKey = (presented: string): KeyPlace | undefined =>
  knownPlace(presentedKeyHashes(presented).map(nameOf));
