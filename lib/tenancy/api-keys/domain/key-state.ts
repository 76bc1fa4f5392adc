import { DAY_MS } from "@/lib/platform/calendar";

/** `overlap`: replaced, but still accepted while its replacement is rolled out. */
export type KeyState = "active" | "overlap" | "expired" | "revoked";

export type KeyTimes = { expiresAt: Date | null; revokedAt: Date | null; replacedBy: string | null };

const UNUSED_MS = 30 * DAY_MS;

/** Whether a usable key has not been used for 30 days, or was created that long ago and never used. */
export function isUnused(key: KeyTimes & { createdAt: Date; lastUsedAt: Date | null }, now: Date): boolean {
  const state = keyState(key, now);
  const quietSince = key.lastUsedAt ?? key.createdAt;
  return (state === "active" || state === "overlap") && now.getTime() - quietSince.getTime() >= UNUSED_MS;
}

/** Revocation takes precedence over expiry. A key is expired from `expiresAt` on, inclusive. */
export function keyState({ expiresAt, revokedAt, replacedBy }: KeyTimes, now: Date): KeyState {
  if (revokedAt) return "revoked";
  if (expiresAt && expiresAt <= now) return "expired";
  return replacedBy ? "overlap" : "active";
}
