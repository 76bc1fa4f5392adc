import { randomBytes, timingSafeEqual } from "node:crypto";

import { deriveKey, hmac, peppers } from "@/lib/secrets";

const VERSION = 1;
const ID_BYTES = 16;
const MAC_BYTES = 16;
const BYTES = 1 + ID_BYTES + MAC_BYTES;

const mac = (key: Uint8Array, body: Uint8Array) => hmac(key, body).subarray(0, MAC_BYTES);

const purpose = (workspaceId: string) => `device token ${workspaceId}`;

function signToken(workspaceId: string, id: Uint8Array): string {
  const body = Buffer.concat([Buffer.from([VERSION]), id]);
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

/** The token's id in hex, or nothing when it is malformed, forged or of another workspace. */
export function readDeviceToken(workspaceId: string, token: string | undefined): string | undefined {
  if (token === undefined || !/^[A-Za-z0-9_-]{44}$/.test(token)) return undefined;
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== BYTES || bytes[0] !== VERSION) return undefined;
  const [body, given] = [bytes.subarray(0, 1 + ID_BYTES), bytes.subarray(1 + ID_BYTES)];
  const isOurs = peppers().some((pepper) => timingSafeEqual(mac(deriveKey(purpose(workspaceId), pepper), body), given));
  return isOurs ? body.subarray(1).toString("hex") : undefined;
}
