type Key = { keyId: string; createdAt: Date; expiresAt: Date | null; replacedBy: string | null };

/**
 * Original expiry of a replaced key; null if it had none. The overlap has overwritten its `expiresAt`, but the last key in
 * its chain of replacements has the same lifetime and an intact expiry.
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
