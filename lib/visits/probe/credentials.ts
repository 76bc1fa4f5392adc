import { deriveKey, hmac, peppers } from "@/lib/platform/secrets";

/** Lifetime of credentials, equal to that of their challenge. */
const TTL_SECONDS = 120;
/** Allowed clock difference between two replicas. */
const CLOCK_SKEW_SECONDS = 10;

const USERNAME = /^([0-9a-f]{32})\.([0-9a-z]{1,10})$/;

const passwordOf = (username: string, key: Uint8Array) => hmac(key, username).toString("base64url");

/**
 * Issues credentials for one challenge. They are derived, so any replica can verify them and none needs to store them.
 */
export function issueCredentials(challengeNonce: string, now: Date): { username: string; credential: string } {
  const username = `${challengeNonce}.${Math.floor(now.getTime() / 1000).toString(36)}`;
  return { username, credential: passwordOf(username, deriveKey("probe")) };
}

/** The challenge of a username that has not expired. Does not verify the password. */
export function challengeOfUsername(username: string, now: Date): string | undefined {
  const [, nonce, issued = ""] = USERNAME.exec(username) ?? [];
  const ageSeconds = now.getTime() / 1000 - Number.parseInt(issued, 36);
  return ageSeconds >= -CLOCK_SKEW_SECONDS && ageSeconds <= TTL_SECONDS ? nonce : undefined;
}

/** Passwords of a username under the current and earlier peppers. */
export const passwordsOf = (username: string): string[] =>
  peppers().map((pepper) => passwordOf(username, deriveKey("probe", pepper)));

const NONCE_SECONDS = 60;

const stunNonce = (peer: string, minute: number) =>
  hmac(deriveKey("probe nonce"), `${peer} ${minute}`).subarray(0, 8).toString("hex");

const minuteOf = (now: Date) => Math.floor(now.getTime() / 1000 / NONCE_SECONDS);

/**
 * A nonce that the sender must repeat, which a sender with a forged address never receives. Derived from the address,
 * so that every replica accepts it.
 */
export const issueNonce = (peer: string, now: Date): string => stunNonce(peer, minuteOf(now));

export const nonceHolds = (nonce: string, peer: string, now: Date): boolean =>
  [0, 1].some((age) => stunNonce(peer, minuteOf(now) - age) === nonce);
