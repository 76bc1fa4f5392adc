import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";

import ipaddr from "ipaddr.js";

/** Messages and attributes of STUN and TURN (RFC 8489, sections 5 and 14; RFC 8656, section 18). */
export const BINDING_REQUEST = 0x0001;
export const ALLOCATE_REQUEST = 0x0003;
const BINDING_SUCCESS = 0x0101;
const ERROR_BITS = 0x0110;

const ATTRIBUTES = {
  username: 0x0006,
  messageIntegrity: 0x0008,
  errorCode: 0x0009,
  realm: 0x0014,
  nonce: 0x0015,
  xorMappedAddress: 0x0020,
  fingerprint: 0x8028,
} as const;

const MAGIC_COOKIE = 0x2112a442;
const HEAD_BYTES = 20;
const FINGERPRINT_BYTES = 8;
const FINGERPRINT_XOR = 0x5354554e;
const INTEGRITY_BYTES = 20;

/** Rounds up to a multiple of 32 bits. */
const padded = (length: number) => length + ((4 - (length % 4)) % 4);

type Attribute = { at: number; value: Buffer };

export type StunRequest = {
  bytes: Buffer;
  type: number;
  username: string | undefined;
  nonce: string | undefined;
  integrity: Attribute | undefined;
};

function readAttributes(bytes: Buffer): Map<number, Attribute> {
  const found = new Map<number, Attribute>();
  for (let at = HEAD_BYTES; at + 4 <= bytes.length;) {
    const length = bytes.readUInt16BE(at + 2);
    const value = bytes.subarray(at + 4, at + 4 + length);
    const type = bytes.readUInt16BE(at);
    // Only the first of repeated attributes counts. Attributes after the integrity are not covered by it.
    if (value.length === length && !found.has(type) && !found.has(ATTRIBUTES.messageIntegrity))
      found.set(type, { at, value });
    at += 4 + padded(length);
  }
  return found;
}

/** Parses a STUN request. Undefined for anything else. */
export function parseRequest(bytes: Buffer): StunRequest | undefined {
  const isStun =
    bytes.length >= HEAD_BYTES &&
    bytes.length % 4 === 0 &&
    bytes.readUInt32BE(4) === MAGIC_COOKIE &&
    bytes.readUInt16BE(2) === bytes.length - HEAD_BYTES;
  if (!isStun) return undefined;
  const attributes = readAttributes(bytes);
  const text = (type: number) => attributes.get(type)?.value.toString("utf8");
  return {
    bytes,
    type: bytes.readUInt16BE(0),
    username: text(ATTRIBUTES.username),
    nonce: text(ATTRIBUTES.nonce),
    integrity: attributes.get(ATTRIBUTES.messageIntegrity),
  };
}

function attribute(type: number, value: Buffer): Buffer {
  const bytes = Buffer.alloc(4 + padded(value.length));
  bytes.writeUInt16BE(type, 0);
  bytes.writeUInt16BE(value.length, 2);
  value.copy(bytes, 4);
  return bytes;
}

/** Builds a message with the cookie and transaction of the request. */
function answer({ bytes }: StunRequest, type: number, attributes: Buffer[]): Buffer {
  const body = Buffer.concat(attributes);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(body.length, 2);
  bytes.copy(head, 4, 4, HEAD_BYTES);
  return Buffer.concat([head, body]);
}

/**
 * Returns the sender's observed address.
 *
 * @param address canonical
 */
export function bindingSuccess(request: StunRequest, address: string, port: number): Buffer {
  const parsed = ipaddr.parse(address);
  const mask = request.bytes.subarray(4, HEAD_BYTES);
  const masked = parsed.toByteArray().map((byte, index) => byte ^ (mask[index] ?? 0));
  const value = Buffer.from([0, parsed.kind() === "ipv4" ? 1 : 2, 0, 0, ...masked]);
  value.writeUInt16BE(port ^ (MAGIC_COOKIE >>> 16), 2);
  const reply = answer(request, BINDING_SUCCESS, [
    attribute(ATTRIBUTES.xorMappedAddress, value),
    attribute(ATTRIBUTES.fingerprint, Buffer.alloc(4)),
  ]);
  const covered = reply.subarray(0, reply.length - FINGERPRINT_BYTES);
  reply.writeUInt32BE((crc32(covered) ^ FINGERPRINT_XOR) >>> 0, reply.length - 4);
  return reply;
}

function errorReply(request: StunRequest, code: number, reason: string, more: Buffer[] = []): Buffer {
  const value = Buffer.concat([Buffer.from([0, 0, Math.floor(code / 100), code % 100]), Buffer.from(reason)]);
  return answer(request, request.type | ERROR_BITS, [attribute(ATTRIBUTES.errorCode, value), ...more]);
}

/** Requests credentials with `nonce`. */
export const unauthorized = (request: StunRequest, realm: string, nonce: string): Buffer =>
  errorReply(request, 401, "Unauthorized", [
    attribute(ATTRIBUTES.realm, Buffer.from(realm)),
    attribute(ATTRIBUTES.nonce, Buffer.from(nonce)),
  ]);

/** Refuses to relay. */
export const forbidden = (request: StunRequest): Buffer => errorReply(request, 403, "Forbidden");

/** Whether the sender knows the password of its username (RFC 8489, sections 9.2.2 and 14.5). */
export function integrityHolds(request: StunRequest, realm: string, password: string): boolean {
  const { bytes, username, integrity } = request;
  if (username === undefined || integrity?.value.length !== INTEGRITY_BYTES) return false;
  const covered = Buffer.from(bytes.subarray(0, integrity.at));
  // The length includes the integrity attribute but nothing after it.
  covered.writeUInt16BE(integrity.at - HEAD_BYTES + 4 + INTEGRITY_BYTES, 2);
  const key = createHash("md5").update(`${username}:${realm}:${password}`).digest();
  return timingSafeEqual(createHmac("sha1", key).update(covered).digest(), integrity.value);
}
