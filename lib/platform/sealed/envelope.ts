import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

import { keyEncryptionKeys } from "@/lib/platform/secrets";

/**
 * An encrypted secret in one text column: `v1.KEY_ID.WRAPPED_KEY.CIPHERTEXT`. Each secret has its own data key, which is
 * encrypted under the key-encryption key named by KEY_ID.
 */
export type Sealed = string;

const VERSION = "v1";
const KEY_BYTES = 32;
/** Source: NIST SP 800-38D, 8.2: a random IV of 96 bits. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

function encrypt(key: Uint8Array, plaintext: Uint8Array, associated: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(associated));
  return Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Uint8Array, box: Buffer, associated: string): Buffer {
  if (box.length < IV_BYTES + TAG_BYTES) throw new Error("the sealed value is too short");
  const iv = box.subarray(0, IV_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(associated))
    .setAuthTag(box.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(box.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}

const forKey = (keyId: string, boundTo: string) => `imprint ${VERSION} key\n${keyId}\n${boundTo}`;
const forValue = (boundTo: string) => `imprint ${VERSION} value\n${boundTo}`;

function keyById(keyId: string): Uint8Array {
  const found = keyEncryptionKeys().find(({ id }) => id === keyId);
  if (!found) throw new Error(`KEKS lacks the key ${keyId}, under which a secret is sealed`);
  if (found.key.length !== KEY_BYTES) throw new Error(`The key ${keyId} of KEKS is not ${KEY_BYTES} bytes long`);
  return found.key;
}

/** Identifier of the key-encryption key for new secrets. */
export function currentKeyId(): string {
  const [current] = keyEncryptionKeys();
  if (!current) throw new Error("KEKS contains no key");
  return current.id;
}

const wrap = (keyId: string, dataKey: Uint8Array, boundTo: string) =>
  encrypt(keyById(keyId), dataKey, forKey(keyId, boundTo)).toString("base64url");

function parse(sealed: Sealed) {
  const [version, keyId, wrapped, ciphertext, ...rest] = sealed.split(".");
  if (version !== VERSION || !keyId || !wrapped || !ciphertext || rest.length > 0) {
    throw new Error("the value is not a sealed secret");
  }
  return { keyId, wrapped: Buffer.from(wrapped, "base64url"), ciphertext };
}

/** Identifier of the key-encryption key under which a secret is sealed. */
export const sealedUnder = (sealed: Sealed): string => parse(sealed).keyId;

/**
 * Seals a secret for one row: `boundTo` (table, column and id, e.g. `trial_intents.api_key ati_…`) is its associated data,
 * so a value copied to another row does not open.
 */
export function seal(plaintext: string, boundTo: string): Sealed {
  const keyId = currentKeyId();
  const dataKey = randomBytes(KEY_BYTES);
  const ciphertext = encrypt(dataKey, Buffer.from(plaintext), forValue(boundTo)).toString("base64url");
  return [VERSION, keyId, wrap(keyId, dataKey, boundTo), ciphertext].join(".");
}

/** @throws Error if the value was sealed for another row or modified, or its key is not in `KEKS` */
export function open(sealed: Sealed, boundTo: string): string {
  const { keyId, wrapped, ciphertext } = parse(sealed);
  const dataKey = decrypt(keyById(keyId), wrapped, forKey(keyId, boundTo));
  return decrypt(dataKey, Buffer.from(ciphertext, "base64url"), forValue(boundTo)).toString();
}

/**
 * Re-encrypts a secret's data key under the current key-encryption key. The ciphertext is unchanged.
 *
 * @throws Error as `open` does
 */
export function rewrap(sealed: Sealed, boundTo: string): Sealed {
  const { keyId, wrapped, ciphertext } = parse(sealed);
  const dataKey = decrypt(keyById(keyId), wrapped, forKey(keyId, boundTo));
  decrypt(dataKey, Buffer.from(ciphertext, "base64url"), forValue(boundTo));
  const fresh = currentKeyId();
  return [VERSION, fresh, wrap(fresh, dataKey, boundTo), ciphertext].join(".");
}
