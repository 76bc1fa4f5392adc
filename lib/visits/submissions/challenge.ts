import { randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";

import { AppError } from "@/lib/contract/errors";
import { deriveKey, hmac, peppers } from "@/lib/platform/secrets";

/** How long a challenge stays valid. */
const CHALLENGE_TTL_SECONDS = 120;
/**
 * Tolerated clock difference between processes. A challenge from further ahead was issued before the clock was set back,
 * and would stay valid for longer than its use is remembered.
 */
const CLOCK_TOLERANCE_SECONDS = 300;

const VERSION = 1;
const NONCE_BYTES = 16;
/** End of the nonce, by which a process knows that it shares the clock of the one that issued the challenge. */
const CLOCK_BYTES = 4;
const TIME_BYTES = 6;
const MAC_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TIME_BYTES;

type Binding = { environmentId: string; origin: string };

export type Challenge = {
  /** 32 hex digits. */
  nonce: string;
  issuedAt: Date;
  /** Whether the issuer had the same clock as this process. */
  isOfOwnClock: boolean;
  /**
   * Address that the challenge was issued to. Recorded as evidence; a different address may still use the challenge.
   */
  address: string | undefined;
};

const mac = (key: Uint8Array, { environmentId, origin }: Binding, body: Uint8Array) =>
  hmac(key, environmentId, "\n", origin, "\n", body).subarray(0, MAC_BYTES);

/** Linux's name for the running kernel, whose clock all of its processes and containers have. */
function nameOfClock(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return randomUUID(); // another system: the clock is taken for this process's alone
  }
}
const OWN_CLOCK = nameOfClock();

/** A MAC rather than the name itself, which would tell clients how many machines there are. */
const clockMark = (random: Uint8Array) =>
  hmac(deriveKey("challenge clock"), OWN_CLOCK, random).subarray(0, CLOCK_BYTES);

function createNonce(): Buffer {
  const random = randomBytes(NONCE_BYTES - CLOCK_BYTES);
  return Buffer.concat([random, clockMark(random)]);
}

/**
 * Creates a stateless challenge for one environment and origin. Layout: version, nonce, issue time in milliseconds,
 * address, MAC.
 */
export function createChallenge(
  binding: Binding,
  address: string | undefined,
  now: Date,
): { challenge: string; nonce: string; expiresAt: Date } {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUIntBE(now.getTime(), 0, TIME_BYTES);
  const nonce = createNonce();
  const body = Buffer.concat([Buffer.from([VERSION]), nonce, time, Buffer.from(address ?? "", "latin1")]);
  const challenge = Buffer.concat([body, mac(deriveKey("challenge"), binding, body)]).toString("base64url");
  return { challenge, nonce: nonce.toString("hex"), expiresAt: new Date(now.getTime() + CHALLENGE_TTL_SECONDS * 1000) };
}

/**
 * Verifies and decodes a challenge.
 *
 * @throws AppError `invalid_request` if it was not issued for this environment and origin
 * @throws AppError `challenge_expired`
 */
export function openChallenge(binding: Binding, challenge: string, now: Date): Challenge {
  const bytes = Buffer.from(challenge, "base64url");
  const [body, given] = [bytes.subarray(0, -MAC_BYTES), bytes.subarray(-MAC_BYTES)];
  const isOurs =
    bytes.length >= HEAD_BYTES + MAC_BYTES &&
    body[0] === VERSION &&
    bytes.toString("base64url") === challenge &&
    peppers().some((pepper) => timingSafeEqual(mac(deriveKey("challenge", pepper), binding, body), given));
  if (!isOurs)
    throw new AppError("invalid_request", { message: "challenge: not issued for this environment and origin" });
  const issuedMs = body.readUIntBE(1 + NONCE_BYTES, TIME_BYTES);
  const ageSeconds = (now.getTime() - issuedMs) / 1000;
  if (ageSeconds > CHALLENGE_TTL_SECONDS || ageSeconds < -CLOCK_TOLERANCE_SECONDS)
    throw new AppError("challenge_expired");
  const address = body.subarray(HEAD_BYTES).toString("latin1");
  const nonce = body.subarray(1, 1 + NONCE_BYTES);
  return {
    nonce: nonce.toString("hex"),
    issuedAt: new Date(issuedMs),
    isOfOwnClock: clockMark(nonce.subarray(0, -CLOCK_BYTES)).equals(nonce.subarray(-CLOCK_BYTES)),
    address: address === "" ? undefined : address,
  };
}
