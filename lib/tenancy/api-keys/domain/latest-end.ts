type Key = { keyId: string; createdAt: Date; expiresAt: Date | null; replacedBy: string | null };

/**
 * When a replaced key would have expired by itself; null for one that would not. Its overlap has overwritten that, but the
 * key at the end of its replacements has the same lifetime, and its own expiry still.
 */
export function latestEnd(keyId: string, keys: readonly Key[]): Date | null {
  const byId = new Map(keys.map((key) => [key.keyId, key]));
  const own = byId.get(keyId);
  let last = own;
  for (const seen = new Set<string>(); last?.replacedBy && !seen.has(last.keyId); last = byId.get(last.replacedBy))
    seen.add(last.keyId);
  if (!own || !last?.expiresAt) return null;
  return new Date(own.createdAt.getTime() + last.expiresAt.getTime() - last.createdAt.getTime());
}
