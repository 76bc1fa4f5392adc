import type { requireKey } from "@/lib/tenancy/api-keys";
import { creatorName } from "@/components/shell/creator-name";
import type { KeyRow } from "./key-table";

const text = (at: Date | null) => at?.toISOString() ?? null;

/** A row of the key table. */
export function toKeyRow(
  key: Awaited<ReturnType<typeof requireKey>>,
  members: readonly { userId: string; email: string }[],
): KeyRow {
  const { keyId, name, kind, state, isUnused, preview, lastFour } = key;
  return {
    keyId,
    name,
    kind,
    state,
    isUnused,
    shown: `${preview}…${lastFour}`,
    createdBy: creatorName(key.createdBy, members),
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: text(key.lastUsedAt),
    expiresAt: text(key.expiresAt),
    revokedAt: text(key.revokedAt),
  };
}
