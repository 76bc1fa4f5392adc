import { randomBytes, timingSafeEqual } from "node:crypto";

import { deriveKey, hmac, peppers } from "@/lib/platform/secrets";

const ID_BYTES = 16;
const GENERATION_BYTES = 4;
const MAC_BYTES = 16;
/** Length of the body by its first byte: an id alone, which is generation 0, or an id and a generation. */
const BODY_BYTES: Readonly<Record<number, number>> = { 1: 1 + ID_BYTES, 2: 1 + ID_BYTES + GENERATION_BYTES };

const mac = (key: Uint8Array, body: Uint8Array) => hmac(key, body).subarray(0, MAC_BYTES);

const purpose = (workspaceId: string) => `device token ${workspaceId}`;

function bodyOf(id: Uint8Array, generation: number): Buffer {
  if (generation === 0) return Buffer.concat([Buffer.from([1]), id]);
  const bytes = Buffer.alloc(GENERATION_BYTES);
  bytes.writeUInt32BE(generation);
  return Buffer.concat([Buffer.from([2]), id, bytes]);
}

function signToken(workspaceId: string, id: Uint8Array, generation = 0): string {
  const body = bodyOf(id, generation);
  return Buffer.concat([body, mac(deriveKey(purpose(workspaceId)), body)]).toString("base64url");
}

/** A fresh signed token of one browser installation in one workspace. It says nothing about the device. */
export const issueDeviceToken = (workspaceId: string): string => signToken(workspaceId, randomBytes(ID_BYTES));

/**
 * A fresh token in place of one that is refused. The same for the same visit: a repeated submission, whose first answer
 * was lost, is given the token that was bound then.
 *
 * @param nonce of the visit's challenge
 */
export function replaceDeviceToken(workspaceId: string, nonce: string): { token: string; tokenId: string } {
  const id = hmac(deriveKey(`replaced device token ${workspaceId}`), nonce).subarray(0, ID_BYTES);
  return { token: signToken(workspaceId, id), tokenId: id.toString("hex") };
}

/** The token of the same id in another generation: always the same for both. */
export const renewDeviceToken = (workspaceId: string, tokenId: string, generation: number): string =>
  signToken(workspaceId, Buffer.from(tokenId, "hex"), generation);

/** The parts of what was written as a token; nothing of it is proven. */
function partsOf(token: string): { body: Buffer; given: Buffer } | undefined {
  if (!/^[A-Za-z0-9_-]{44,50}$/.test(token)) return undefined;
  const bytes = Buffer.from(token, "base64url");
  const length = BODY_BYTES[bytes[0] ?? 0];
  if (length === undefined || bytes.length !== length + MAC_BYTES) return undefined;
  return { body: bytes.subarray(0, length), given: bytes.subarray(length) };
}

/** The token's id in hex, or nothing when it is malformed, forged or of another workspace. */
export function readDeviceToken(workspaceId: string, token: string | undefined): string | undefined {
  const parts = token === undefined ? undefined : partsOf(token);
  if (parts === undefined) return undefined;
  const { body, given } = parts;
  const isOurs = peppers().some((pepper) => timingSafeEqual(mac(deriveKey(purpose(workspaceId), pepper), body), given));
  return isOurs ? body.subarray(1, 1 + ID_BYTES).toString("hex") : undefined;
}

/** How often a token that `readDeviceToken` accepts was renewed. */
export function tokenGeneration(token: string | undefined): number {
  const body = token === undefined ? undefined : partsOf(token)?.body;
  return body?.[0] === 2 ? body.readUInt32BE(1 + ID_BYTES) : 0;
}
