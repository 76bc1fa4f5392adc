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

/** The text of a new key. Nothing is stored. */
export const drawKey = (kind: KeyKind): string => mintKey(kind, randomByteSource());

/** The columns stored for a secret: its HMAC under the current pepper, and its preview. */
function storedForm(secret: string) {
  const [pepper] = peppers();
  if (!pepper) throw new Error("KEY_PEPPER contains no key");
  return { keyHash: hmac(pepper.key, secret), pepperId: pepper.id, ...keyPreview(secret) };
}

/** A secret, generated unless given, with its stored columns. */
export const newSecret = (kind: KeyKind, apiKey = drawKey(kind)) => ({ apiKey, ...storedForm(apiKey) });

/** The secret of a new management key, with its stored columns. */
export function newManagementSecret() {
  const secret = mintKey("manage", randomByteSource());
  return { secret, ...storedForm(secret) };
}

const hashesOf = (presented: string): Uint8Array[] => peppers().map(({ key }) => hmac(key, presented));

/**
 * The hashes under which a presented key may be stored, one per configured pepper.
 * Empty for a malformed key, which therefore needs no query.
 */
export const presentedKeyHashes = (presented: string): Uint8Array[] =>
  isWellFormedKey(presented) ? hashesOf(presented) : [];

/** As `presentedKeyHashes`, for management keys. */
export const presentedManagementHashes = (presented: string): Uint8Array[] =>
  isWellFormedManagementKey(presented) ? hashesOf(presented) : [];
