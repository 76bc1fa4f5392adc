import { randomBytes } from "node:crypto";

import { hmac, peppers } from "@/lib/platform/secrets";
import { isWellFormedKey, keyPreview, type KeyKind, mintKey } from "./domain/key-format";

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

/** A secret, new unless given, with its stored form: the HMAC under the current pepper, and the preview. */
export function newSecret(kind: KeyKind, apiKey = drawKey(kind)) {
  const [pepper] = peppers();
  if (!pepper) throw new Error("KEY_PEPPER holds no key");
  return { apiKey, keyHash: hmac(pepper.key, apiKey), pepperId: pepper.id, ...keyPreview(apiKey) };
}

/**
 * The hashes under which a presented key may be stored, one for each known pepper.
 * None for a malformed key, so that no query is needed.
 */
export const presentedKeyHashes = (presented: string): Uint8Array[] =>
  isWellFormedKey(presented) ? peppers().map(({ key }) => hmac(key, presented)) : [];
