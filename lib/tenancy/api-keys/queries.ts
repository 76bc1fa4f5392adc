import { and, desc, eq, gt, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { statement, type Values } from "@/db/prepared";
import { apiKeyLookup, apiKeys } from "@/db/schema";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import { joinWorkspace, type Plan } from "@/lib/tenancy/workspaces";
import type { KeyKind } from "./domain/key-format";
import type { StoredKey } from "./principal";

type NewKey = {
  workspaceId: string;
  keyId: string;
  name: string;
  kind: KeyKind;
  preview: string;
  lastFour: string;
  createdBy: string;
  keyHash: Uint8Array;
  pepperId: string;
  expiresAfterSeconds: number | undefined;
};

const secondsFromNow = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`;

/** Stores a key and its lookup row. The expiry is computed by the database clock. */
export async function insertKey(
  tx: Db,
  { keyHash, pepperId, expiresAfterSeconds, ...row }: NewKey,
): Promise<Date | null> {
  const [stored] = await tx
    .insert(apiKeys)
    .values({ ...row, expiresAt: expiresAfterSeconds === undefined ? null : secondsFromNow(expiresAfterSeconds) })
    .returning({ expiresAt: apiKeys.expiresAt });
  await tx.insert(apiKeyLookup).values({ keyHash, pepperId, workspaceId: row.workspaceId, keyId: row.keyId });
  return stored?.expiresAt ?? null;
}

const ofKey = (workspaceId: string, keyId: string) =>
  and(eq(apiKeys.workspaceId, workspaceId), eq(apiKeys.keyId, keyId));

const databaseNow = sql`now()`.mapWith(apiKeys.createdAt);

/** The key and the database time, locked until the end of the transaction. */
export async function lockKey(tx: Db, workspaceId: string, keyId: string) {
  const [row] = await tx
    .select({
      name: apiKeys.name,
      kind: apiKeys.kind,
      createdAt: apiKeys.createdAt,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      replacedBy: apiKeys.replacedBy,
      lastUsedAt: apiKeys.lastUsedAt,
      now: databaseNow,
    })
    .from(apiKeys)
    .where(ofKey(workspaceId, keyId))
    .for("no key update");
  return row;
}

export async function setRevoked(tx: Db, workspaceId: string, keyId: string): Promise<void> {
  await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(ofKey(workspaceId, keyId));
}

/** Marks a key as replaced. It expires after the overlap, or at its own expiry if that is earlier. */
export async function setReplaced(
  tx: Db,
  workspaceId: string,
  keyId: string,
  { replacedBy, overlapSeconds }: { replacedBy: string; overlapSeconds: number },
): Promise<Date | null> {
  const [row] = await tx
    .update(apiKeys)
    .set({
      replacedBy,
      ...(overlapSeconds === 0
        ? { revokedAt: sql`now()` }
        : { expiresAt: sql`least(${apiKeys.expiresAt}, ${secondsFromNow(overlapSeconds)})` }),
    })
    .where(ofKey(workspaceId, keyId))
    .returning({ expiresAt: apiKeys.expiresAt });
  return row?.expiresAt ?? null;
}

/** Makes a replaced key expire in `seconds`, but not after `latest`. Returns the new expiry. */
export async function setOverlapEnd(
  tx: Db,
  workspaceId: string,
  keyId: string,
  { seconds, latest }: { seconds: number; latest: Date | null },
): Promise<Date | null> {
  const [row] = await tx
    .update(apiKeys)
    .set({
      expiresAt:
        latest === null
          ? secondsFromNow(seconds)
          : sql`least(${sql.param(latest, apiKeys.expiresAt)}, ${secondsFromNow(seconds)})`,
    })
    .where(ofKey(workspaceId, keyId))
    .returning({ expiresAt: apiKeys.expiresAt });
  return row?.expiresAt ?? null;
}

/** Live keys that expire within `days` and have not been replaced or revoked. */
export function listExpiringKeys(db: Db, days: number) {
  return db
    .select({
      workspaceId: apiKeys.workspaceId,
      keyId: apiKeys.keyId,
      name: apiKeys.name,
      expiresAt: apiKeys.expiresAt,
    })
    .from(apiKeys)
    .where(
      and(
        isNull(apiKeys.revokedAt),
        isNull(apiKeys.replacedBy),
        eq(apiKeys.kind, "live"),
        gt(apiKeys.expiresAt, databaseNow),
        lt(apiKeys.expiresAt, sql`now() + make_interval(days => ${days})`),
      ),
    );
}

export const listKeyNames = (db: Db, workspaceId: string, keyIds: readonly string[]) =>
  db
    .select({ keyId: apiKeys.keyId, name: apiKeys.name })
    .from(apiKeys)
    .where(and(eq(apiKeys.workspaceId, workspaceId), inArray(apiKeys.keyId, [...keyIds])));

const selectKeys = (db: Db) =>
  db
    .select({
      keyId: apiKeys.keyId,
      name: apiKeys.name,
      kind: apiKeys.kind,
      preview: apiKeys.preview,
      lastFour: apiKeys.lastFour,
      createdBy: apiKeys.createdBy,
      createdAt: apiKeys.createdAt,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      lastUsedAt: apiKeys.lastUsedAt,
      replacedBy: apiKeys.replacedBy,
      now: databaseNow,
    })
    .from(apiKeys);
export type KeyRow = Awaited<ReturnType<typeof selectKeys>>[number];

export const listKeyRows = (db: Db, workspaceId: string): Promise<KeyRow[]> =>
  selectKeys(db).where(eq(apiKeys.workspaceId, workspaceId)).orderBy(desc(apiKeys.createdAt), desc(apiKeys.keyId));

export async function findKeyRow(db: Db, workspaceId: string, keyId: string): Promise<KeyRow | undefined> {
  const [row] = await selectKeys(db).where(ofKey(workspaceId, keyId));
  return row;
}

const isStale = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, sql`now() - interval '1 minute'`));

const isUsable = sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`;

/** Identity of a key, which never changes. */
export type KeyPlace = { workspaceId: string; keyId: string };

const KEY_WORKSPACE = sql`${sql.placeholder("workspace")}::uuid`;

/**
 * The key of a `KeyPlace` if it is usable, as a table expression for statements that read more in the same round trip.
 * All of them must name the workspace, so that they run on its shard.
 */
export const USABLE_KEY: SQL = sql`(
  select k.workspace_id, k.key_id, k.kind, w.plan,
    (k.last_used_at is null or k.last_used_at < now() - interval '1 minute') as is_use_stale
  from api_keys k
  ${joinWorkspace("k")}
  where k.workspace_id = ${KEY_WORKSPACE} and k.key_id = ${sql.placeholder("key")}::uuid and ${isUsable}
) usable`;

/** Bind values for `USABLE_KEY`. */
export const usableKeyValues = ({ workspaceId, keyId }: KeyPlace): Values => ({
  workspace: idToUuid(workspaceId),
  key: idToUuid(keyId),
});

/** A row of `USABLE_KEY`. */
export type UsableKeyRow = {
  workspace_id: string;
  key_id: string;
  kind: KeyKind;
  plan: Plan;
  is_use_stale: boolean;
};

export const toUsableKey = (row: UsableKeyRow): StoredKey => ({
  workspaceId: uuidToId("workspace", row.workspace_id),
  keyId: uuidToId("apiKey", row.key_id),
  kind: row.kind,
  plan: row.plan,
  isUseStale: row.is_use_stale,
});

/** SQL condition: `keyId`, a uuid or null, is a usable key of the workspace. For statements of other features. */
export const isKeyUsableIn = (workspace: SQL, keyId: SQL): SQL => sql`exists (
  select 1 from api_keys k where k.workspace_id = ${workspace} and k.key_id = ${keyId} and ${isUsable})`;

const placeByHash = statement<{ workspace_id: string; key_id: string }>(
  sql`select l.workspace_id, l.key_id from api_key_lookup l where l.key_hash = ${sql.placeholder("keyHash")}`,
  "look key up",
);

/** Looks up a key by its hash, in any state. */
export async function findKeyPlace(db: Db, keyHash: Uint8Array): Promise<KeyPlace | undefined> {
  const [row] = await placeByHash(db, { keyHash });
  return row && { workspaceId: uuidToId("workspace", row.workspace_id), keyId: uuidToId("apiKey", row.key_id) };
}

const usableByPlace = statement<UsableKeyRow>(sql`select * from ${USABLE_KEY}`, "read key");

/** A key, unless it is revoked or expired. */
export async function findUsableKey(db: Db, place: KeyPlace): Promise<StoredKey | undefined> {
  const [row] = await usableByPlace(db, usableKeyValues(place));
  return row && toUsableKey(row);
}

/** Records the time of use, to the minute. Only one of several concurrent callers writes. */
export async function touchKey(db: Db, workspaceId: string, keyId: string): Promise<void> {
  await db
    .update(apiKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(and(ofKey(workspaceId, keyId), isStale));
}

/** Whether any stored key is hashed under this pepper. */
export async function isPepperInUse(db: Db, pepperId: string): Promise<boolean> {
  const rows = await db
    .select({ pepperId: apiKeyLookup.pepperId })
    .from(apiKeyLookup)
    .where(sql`${apiKeyLookup.pepperId} = ${pepperId}`)
    .limit(1);
  return rows.length > 0;
}
