import { randomBytes, timingSafeEqual } from "node:crypto";

import { deriveKey, hmac, peppers } from "@/lib/platform/secrets";

const ID_BYTES = 16;
const GENERATION_BYTES = 4;
const MAC_BYTES = 16;
/** Body length by version byte: 1 is an id alone (generation 0), 2 an id and a generation. */
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

/** Issues a signed token for one browser installation in one workspace. It contains nothing about the device. */
export const issueDeviceToken = (workspaceId: string): string => signToken(workspaceId, randomBytes(ID_BYTES));

/**
 * Issues a token in place of a refused one. Deterministic per visit, so a submission resent because its answer was lost
 * gets the token that was bound the first time.
 *
 * @param nonce of the visit's challenge
 */
export function replaceDeviceToken(workspaceId: string, nonce: string): { token: string; tokenId: string } {
  const id = hmac(deriveKey(`replaced device token ${workspaceId}`), nonce).subarray(0, ID_BYTES);
  return { token: signToken(workspaceId, id), tokenId: id.toString("hex") };
}

/** The token with the same id in another generation. Deterministic. */
export const renewDeviceToken = (workspaceId: string, tokenId: string, generation: number): string =>
  signToken(workspaceId, Buffer.from(tokenId, "hex"), generation);

/** Splits a token into body and MAC without verifying it. */
function partsOf(token: string): { body: Buffer; given: Buffer } | undefined {
  if (!/^[A-Za-z0-9_-]{44,50}$/.test(token)) return undefined;
  const bytes = Buffer.from(token, "base64url");
  const length = BODY_BYTES[bytes[0] ?? 0];
  if (length === undefined || bytes.length !== length + MAC_BYTES) return undefined;
  return { body: bytes.subarray(0, length), given: bytes.subarray(length) };
}

/** Verifies a token and returns its id in hex. Undefined if it is malformed, forged or from another workspace. */
export function readDeviceToken(workspaceId: string, token: string | undefined): string | undefined {
  const parts = token === undefined ? undefined : partsOf(token);
  if (parts === undefined) return undefined;
  const { body, given } = parts;
  const isOurs = peppers().some((pepper) => timingSafeEqual(mac(deriveKey(purpose(workspaceId), pepper), body), given));
  return isOurs ? body.subarray(1, 1 + ID_BYTES).toString("hex") : undefined;
}

/** How often a token was renewed. The token must have passed `readDeviceToken`. */
export function tokenGeneration(token: string | undefined): number {
  const body = token === undefined ? undefined : partsOf(token)?.body;
  return body?.[0] === 2 ? body.readUInt32BE(1 + ID_BYTES) : 0;
}
