import { creatorName } from "@/components/shell/creator-name";
import type { requireKey } from "@/lib/tenancy/api-keys";

export type KeyRow = {
  keyId: string;
  name: string;
  shown: string;
  kind: string;
  createdBy: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  isUnused: boolean;
  /** The key that replaced this one in a rotation. */
  replacedBy: string | null;
  state: "active" | "overlap" | "expired" | "revoked";
};

const text = (at: Date | null) => at?.toISOString() ?? null;

/** A row of the key table. */
export function toKeyRow(
  key: Awaited<ReturnType<typeof requireKey>>,
  members: readonly { userId: string; email: string }[],
): KeyRow {
  const { keyId, name, kind, state, isUnused, preview, lastFour, replacedBy } = key;
  return {
    keyId,
    name,
    kind,
    state,
    isUnused,
    replacedBy,
    shown: `${preview}…${lastFour}`,
    createdBy: creatorName(key.createdBy, members),
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: text(key.lastUsedAt),
    expiresAt: text(key.expiresAt),
    revokedAt: text(key.revokedAt),
  };
}

/** A key with its secrets: the current one, and the replaced ones that are still accepted, newest first. */
export type KeyGroup = { key: KeyRow; former: KeyRow[] };

/** Keys in their order, each replaced one grouped with its replacement while both are accepted. */
export function groupKeys(rows: readonly KeyRow[]): KeyGroup[] {
  const byId = new Map(rows.map((row) => [row.keyId, row]));
  const currentOf = (row: KeyRow): KeyRow => {
    const next = row.state === "overlap" && row.replacedBy !== null ? byId.get(row.replacedBy) : undefined;
    return next && (next.state === "active" || next.state === "overlap") ? currentOf(next) : row;
  };
  return rows
    .filter((row) => currentOf(row) === row)
    .map((key) => ({ key, former: rows.filter((row) => row !== key && currentOf(row) === key) }));
}
