import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject } from "node:crypto";

import { LRUCache } from "lru-cache";

/** The service's secrets as text, from the environment or the data directory. */
export type ServiceSecrets = {
  authSecret: string;
  /** `kid:base64[,kid:base64]`, the current one first. */
  keyPepper: string;
  keks: string;
  /** Signing keys of the authorization server, a JWK set; derived from the pepper if absent. */
  oauthJwks?: string | undefined;
  /** Cookie keys of the authorization server, separated by commas; derived from the pepper if absent. */
  oauthCookieKeys?: string | undefined;
};

type RingEntry = { id: string; key: Uint8Array };

const HOLDER = Symbol.for("imprint.secrets");
type Holder = { [HOLDER]?: ServiceSecrets };

/** Makes the secrets available to both module graphs of this process. */
export function publishSecrets(secrets: ServiceSecrets): void {
  (globalThis as Holder)[HOLDER] = secrets;
  rings.clear();
  derived.clear();
}

const rings = new Map<string, RingEntry[]>();
const derived = new LRUCache<string, Uint8Array>({ max: 10_000 });

function published(): ServiceSecrets {
  const secrets = (globalThis as Holder)[HOLDER];
  if (!secrets) throw new Error("The secrets are not loaded: start the service through server.ts");
  return secrets;
}

function ring(text: string): RingEntry[] {
  const known = rings.get(text);
  if (known) return known;
  const entries = text.split(",").map((entry) => {
    const at = entry.indexOf(":");
    return { id: entry.slice(0, at), key: new Uint8Array(Buffer.from(entry.slice(at + 1), "base64")) };
  });
  rings.set(text, entries);
  return entries;
}

/** The peppers for hashing keys, the current one first. */
export const peppers = (): readonly RingEntry[] => ring(published().keyPepper);

/** The key-encryption keys of sealed secrets, the current one first. */
export const keyEncryptionKeys = (): readonly RingEntry[] => ring(published().keks);

export const authSecret = (): string => published().authSecret;

/** Configured secrets of the authorization server. */
export const oauthSecrets = () => {
  const { oauthJwks: jwks, oauthCookieKeys } = published();
  return { jwks, cookieKeys: oauthCookieKeys };
};

/**
 * A 32-byte key for one purpose, derived from a pepper (by default the current one).
 * Source: RFC 5869 (HKDF).
 */
export function deriveKey(purpose: string, pepper: RingEntry | undefined = peppers()[0]): Uint8Array {
  if (!pepper) throw new Error("KEY_PEPPER contains no key");
  const name = `${pepper.id}\u0000${purpose}`;
  const known = derived.get(name);
  if (known) return known;
  const key = new Uint8Array(hkdfSync("sha256", pepper.key, "", `imprint ${purpose}`, 32));
  derived.set(name, key);
  return key;
}

/** By key, since importing a key takes as long as the MAC of a short text. */
const imported = new WeakMap<Uint8Array, KeyObject>();

function importKey(key: Uint8Array): KeyObject {
  const known = imported.get(key);
  if (known) return known;
  const made = createSecretKey(key);
  imported.set(key, made);
  return made;
}

/** In Node's pool of buffers: a digest as a buffer has its own allocation, which takes as long as hashing a short text. */
const pooled = (binary: string): Buffer => Buffer.from(binary, "binary");

export const hmac = (key: Uint8Array, ...parts: (string | Uint8Array)[]): Buffer => {
  const mac = createHmac("sha256", importKey(key));
  for (const part of parts) mac.update(part);
  return pooled(mac.digest("binary"));
};

export const sha256 = (data: string | Uint8Array): Buffer => pooled(hash("sha256", data, "binary"));
