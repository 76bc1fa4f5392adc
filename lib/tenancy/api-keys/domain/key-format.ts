export const KEY_KINDS = ["live", "trial"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY = /^svc_(?:live|trial)_[0-9A-Za-z]{38}$/;
const MANAGEMENT_KEY = /^svc_manage_[0-9A-Za-z]{38}$/;

/** Larger bytes are skipped: they would favour the first characters of the alphabet. 248 = 4 x 62. */
const UNBIASED_BYTES = 248;

/** Source: ISO 3309, reflected polynomial 0xEDB88320. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(ascii: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < ascii.length; index += 1) {
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ ascii.charCodeAt(index)) & 0xff] ?? 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function checksum(body: string): string {
  let text = "";
  for (let rest = crc32(body); rest > 0; rest = Math.floor(rest / 62)) text = ALPHABET.charAt(rest % 62) + text;
  return text.padStart(CHECKSUM_LENGTH, "0");
}

/**
 * A new API key: prefix, 190 random bits, and a checksum of both, so that secret scanners recognise a leaked key.
 *
 * @param nextByte returns a random byte
 */
export function mintKey(kind: KeyKind | "manage", nextByte: () => number): string {
  let body = `svc_${kind}_`;
  const length = body.length + RANDOM_LENGTH;
  while (body.length < length) {
    const byte = nextByte();
    if (byte < UNBIASED_BYTES) body += ALPHABET.charAt(byte % 62);
  }
  return body + checksum(body);
}

const hasChecksum = (text: string): boolean =>
  checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);

/** Whether a text has the format and the checksum of an API key. The key need not exist. */
export const isWellFormedKey = (text: string): boolean => KEY.test(text) && hasChecksum(text);

/** As `isWellFormedKey`, for management keys. No text passes both. */
export const isWellFormedManagementKey = (text: string): boolean => MANAGEMENT_KEY.test(text) && hasChecksum(text);

/** The parts of a key that may be shown after its creation; 130 random bits remain secret. */
export const keyPreview = (key: string): { preview: string; lastFour: string } => ({
  preview: key.slice(0, key.lastIndexOf("_") + 5),
  lastFour: key.slice(-4),
});
