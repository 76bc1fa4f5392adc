import { deriveKey, hmac, peppers } from "@/lib/platform/secrets";

/** Seconds for which credentials count: as long as the challenge that they came with. */
const TTL_SECONDS = 120;
/** Clocks of two replicas may differ by this much. */
const CLOCK_SKEW_SECONDS = 10;

const USERNAME = /^([0-9a-f]{32})\.([0-9a-z]{1,10})$/;

const passwordOf = (username: string, key: Uint8Array) => hmac(key, username).toString("base64url");

/** Credentials for one challenge. They are derived, so that any replica can check them and none stores them. */
export function issueCredentials(challengeNonce: string, now: Date): { username: string; credential: string } {
  const username = `${challengeNonce}.${Math.floor(now.getTime() / 1000).toString(36)}`;
  return { username, credential: passwordOf(username, deriveKey("probe")) };
}

/** The challenge that a username belongs to, while it counts; whether its sender knows the password is another matter. */
export function challengeOfUsername(username: string, now: Date): string | undefined {
  const [, nonce, issued = ""] = USERNAME.exec(username) ?? [];
  const ageSeconds = now.getTime() / 1000 - Number.parseInt(issued, 36);
  return ageSeconds >= -CLOCK_SKEW_SECONDS && ageSeconds <= TTL_SECONDS ? nonce : undefined;
}

/** The passwords that a username may have: of the current pepper and of those before it. */
export const passwordsOf = (username: string): string[] =>
  peppers().map((pepper) => passwordOf(username, deriveKey("probe", pepper)));

const NONCE_SECONDS = 60;

const stunNonce = (peer: string, minute: number) =>
  hmac(deriveKey("probe nonce"), `${peer} ${minute}`).subarray(0, 8).toString("hex");

const minuteOf = (now: Date) => Math.floor(now.getTime() / 1000 / NONCE_SECONDS);

/**
 * What a sender has to repeat: whoever forges its address never sees it. Derived from the address, so that it counts at
 * every replica.
 */
export const issueNonce = (peer: string, now: Date): string => stunNonce(peer, minuteOf(now));

export const nonceHolds = (nonce: string, peer: string, now: Date): boolean =>
  [0, 1].some((age) => stunNonce(peer, minuteOf(now) - age) === nonce);
