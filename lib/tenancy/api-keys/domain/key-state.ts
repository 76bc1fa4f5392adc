/** `overlap`: still accepted, while the key that replaces it is rolled out. */
export type KeyState = "active" | "overlap" | "expired" | "revoked";

export type KeyTimes = { expiresAt: Date | null; revokedAt: Date | null; replacedBy: string | null };

const UNUSED_MS = 30 * 86_400_000;

/** Whether an accepted key was not used for 30 days, or never since it was made that long ago. */
export function isUnused(key: KeyTimes & { createdAt: Date; lastUsedAt: Date | null }, now: Date): boolean {
  const state = keyState(key, now);
  const quietSince = key.lastUsedAt ?? key.createdAt;
  return (state === "active" || state === "overlap") && now.getTime() - quietSince.getTime() >= UNUSED_MS;
}

/** Revocation wins over expiry; a key expires at `expiresAt` exactly. */
export function keyState({ expiresAt, revokedAt, replacedBy }: KeyTimes, now: Date): KeyState {
  if (revokedAt) return "revoked";
  if (expiresAt && expiresAt <= now) return "expired";
  return replacedBy ? "overlap" : "active";
}
