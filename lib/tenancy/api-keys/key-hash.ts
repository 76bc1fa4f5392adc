import { randomBytes } from "node:crypto";

import { hmac, peppers } from "@/lib/platform/secrets";
import { isWellFormedKey, isWellFormedManagementKey, keyPreview, type KeyKind, mintKey } from "./domain/key-format";

const BATCH = 64;

function randomByteSource(): () => number {
  let [bytes, used] = [randomBytes(BATCH), 0];
  return () => {
    if (used === bytes.length) [bytes, used] = [randomBytes(BATCH), 0];
    const byte = bytes.readUInt8(used);
    used += 1;
    return byte;
  };
}

/** The text of a new key, which is not stored yet. */
export const drawKey = (kind: KeyKind): string => mintKey(kind, randomByteSource());

/** What is stored of a secret: the HMAC under the current pepper, and the preview. */
function storedForm(secret: string) {
  const [pepper] = peppers();
  if (!pepper) throw new Error("KEY_PEPPER contains no key");
  return { keyHash: hmac(pepper.key, secret), pepperId: pepper.id, ...keyPreview(secret) };
}

/** A secret, new unless given, with its stored form. */
export const newSecret = (kind: KeyKind, apiKey = drawKey(kind)) => ({ apiKey, ...storedForm(apiKey) });

/** The secret of a new management key, with its stored form. */
export function newManagementSecret() {
  const secret = mintKey("manage", randomByteSource());
  return { secret, ...storedForm(secret) };
}

const hashesOf = (presented: string): Uint8Array[] => peppers().map(({ key }) => hmac(key, presented));

/**
 * The hashes under which a presented key may be stored, one for each known pepper.
 * None for a malformed key, so that no query is needed.
 */
export const presentedKeyHashes = (presented: string): Uint8Array[] =>
  isWellFormedKey(presented) ? hashesOf(presented) : [];

/** The same of a management key. */
export const presentedManagementHashes = (presented: string): Uint8Array[] =>
  isWellFormedManagementKey(presented) ? hashesOf(presented) : [];
