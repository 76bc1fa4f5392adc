import { and, count, desc, eq, isNull, lt, or, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { statement } from "@/db/prepared";
import { managementKeys } from "@/db/schema";
import { uuidToId } from "@/lib/contract/ids";
import type { ManagementScope } from "@/lib/contract/manage";

type NewKey = {
  workspaceId: string;
  keyId: string;
  name: string;
  scopes: ManagementScope[];
  keyHash: Uint8Array;
  pepperId: string;
  preview: string;
  lastFour: string;
  createdBy: string;
};

const ofKey = (workspaceId: string, keyId: string) =>
  and(eq(managementKeys.workspaceId, workspaceId), eq(managementKeys.keyId, keyId));

/** Stores a key. The expiry is computed by the database clock. */
export async function insertManagementKey(tx: Db, row: NewKey, expiresAfterSeconds: number): Promise<Date> {
  const [stored] = await tx
    .insert(managementKeys)
    .values({ ...row, expiresAt: sql`now() + make_interval(secs => ${expiresAfterSeconds})` })
    .returning({ expiresAt: managementKeys.expiresAt });
  if (!stored) throw new Error("the inserted key was not found");
  return stored.expiresAt;
}

const keyColumns = {
  keyId: managementKeys.keyId,
  name: managementKeys.name,
  scopes: managementKeys.scopes,
  preview: managementKeys.preview,
  lastFour: managementKeys.lastFour,
  createdBy: managementKeys.createdBy,
  createdAt: managementKeys.createdAt,
  expiresAt: managementKeys.expiresAt,
  lastUsedAt: managementKeys.lastUsedAt,
  state: sql<"active" | "expired" | "revoked">`case when ${managementKeys.revokedAt} is not null then 'revoked'
    when ${managementKeys.expiresAt} <= now() then 'expired' else 'active' end`,
};

/** Keys in use, of which there are at most 50, and the newest of the others. */
const MAX_LISTED = 100;

const isActive = sql<boolean>`${managementKeys.revokedAt} is null and ${managementKeys.expiresAt} > now()`;

/** Keys in use first, each kind newest first. */
export async function listManagementKeyRows(db: Db, workspaceId: string) {
  const rows = await db
    .select(keyColumns)
    .from(managementKeys)
    .where(eq(managementKeys.workspaceId, workspaceId))
    .orderBy(desc(isActive), desc(managementKeys.createdAt), desc(managementKeys.keyId))
    .limit(MAX_LISTED);
  return rows.map((row) => ({ ...row, scopes: row.scopes as ManagementScope[] })); // safe: written by `insertManagementKey`
}

/** The key, locked until the end of the transaction. */
export async function lockManagementKey(tx: Db, workspaceId: string, keyId: string) {
  const [row] = await tx
    .select({ name: keyColumns.name, state: keyColumns.state })
    .from(managementKeys)
    .where(ofKey(workspaceId, keyId))
    .for("no key update");
  return row;
}

export async function setManagementKeyRevoked(tx: Db, workspaceId: string, keyId: string): Promise<void> {
  await tx
    .update(managementKeys)
    .set({ revokedAt: sql`now()` })
    .where(ofKey(workspaceId, keyId));
}

export async function countManagementKeys(tx: Db, workspaceId: string): Promise<number> {
  const [row] = await tx
    .select({ active: count() })
    .from(managementKeys)
    .where(and(eq(managementKeys.workspaceId, workspaceId), isActive));
  return row?.active ?? 0;
}

type UsableRow = { workspace_id: string; key_id: string; scopes: ManagementScope[]; is_use_stale: boolean };

const usableByHash = statement<UsableRow>(
  sql`select workspace_id, key_id, to_json(scopes) as scopes,
      (last_used_at is null or last_used_at < now() - interval '1 minute') as is_use_stale
    from management_keys
    where key_hash = ${sql.placeholder("keyHash")} and revoked_at is null and expires_at > now()`,
  "read management key",
);

/** The key with this hash, unless it is revoked or expired. */
export async function findUsableManagementKey(db: Db, keyHash: Uint8Array) {
  const [row] = await usableByHash(db, { keyHash });
  return (
    row && {
      workspaceId: uuidToId("workspace", row.workspace_id),
      keyId: uuidToId("managementKey", row.key_id),
      scopes: row.scopes,
      isUseStale: row.is_use_stale,
    }
  );
}

/** Records the time of use, to the minute. Only one of several concurrent callers writes. */
export async function touchManagementKey(db: Db, workspaceId: string, keyId: string): Promise<void> {
  await db
    .update(managementKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(
        ofKey(workspaceId, keyId),
        or(isNull(managementKeys.lastUsedAt), lt(managementKeys.lastUsedAt, sql`now() - interval '1 minute'`)),
      ),
    );
}

/** Whether any management key is hashed under this pepper. */
export async function hasManagementKeyUnder(db: Db, pepperId: string): Promise<boolean> {
  const rows = await db
    .select({ keyId: managementKeys.keyId })
    .from(managementKeys)
    .where(eq(managementKeys.pepperId, pepperId))
    .limit(1);
  return rows.length > 0;
}
