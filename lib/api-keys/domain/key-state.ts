/** `overlap`: still accepted, while the key that replaces it is rolled out. */
export type KeyState = "active" | "overlap" | "expired" | "revoked";

export type KeyTimes = { expiresAt: Date | null; revokedAt: Date | null; replacedBy: string | null };

/** Revocation wins over expiry; a key expires at `expiresAt` exactly. */
export function keyState({ expiresAt, revokedAt, replacedBy }: KeyTimes, now: Date): KeyState {
  if (revokedAt) return "revoked";
  if (expiresAt && expiresAt <= now) return "expired";
  return replacedBy ? "overlap" : "active";
}
