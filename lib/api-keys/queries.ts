import { and, desc, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { preparedOnce } from "@/db/prepared";
import { apiKeyLookup, apiKeys, workspaces } from "@/db/schema";
import type { KeyKind } from "./domain/key-format";

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

/** Stores a key and where its hash leads; its expiry by the database clock. */
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

/** The key and the database's time, with changes to the key held back until the transaction ends. */
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

/** Marks a key as replaced. It ends after the overlap, or earlier when it would have expired by itself. */
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

export function listKeyRows(db: Db, workspaceId: string) {
  return db
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
    .from(apiKeys)
    .where(eq(apiKeys.workspaceId, workspaceId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.keyId));
}

const isStale = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, sql`now() - interval '1 minute'`));

/** The usable key of a `keyHash`: alone, or as a part of a statement that reads more in the same round trip. */
export const selectUsableKey = (db: Db) =>
  db
    .select({
      workspaceId: apiKeys.workspaceId,
      keyId: apiKeys.keyId,
      kind: apiKeys.kind,
      plan: workspaces.plan,
      isUseStale: sql<boolean>`${isStale}`.as("is_use_stale"),
    })
    .from(apiKeyLookup)
    .innerJoin(apiKeys, and(eq(apiKeys.workspaceId, apiKeyLookup.workspaceId), eq(apiKeys.keyId, apiKeyLookup.keyId)))
    .innerJoin(workspaces, eq(workspaces.workspaceId, apiKeys.workspaceId))
    .where(
      and(
        eq(apiKeyLookup.keyHash, sql.placeholder("keyHash")),
        isNull(apiKeys.revokedAt),
        sql`(${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > now())`,
      ),
    );

const usableByHash = preparedOnce((db) => selectUsableKey(db).prepare("find_usable_key"));

/** The key of a hash, unless it is revoked or expired. */
export async function findUsableKey(db: Db, keyHash: Uint8Array) {
  const [row] = await usableByHash(db).execute({ keyHash });
  return row;
}

/** The key that one of the hashes leads to, whatever its state. */
export async function findEndedKey(db: Db, keyHashes: Uint8Array[]) {
  const [row] = await db
    .select({ workspaceId: apiKeyLookup.workspaceId, keyId: apiKeyLookup.keyId })
    .from(apiKeyLookup)
    .where(inArray(apiKeyLookup.keyHash, keyHashes));
  return row;
}

/** Notes the minute of use. Callers that come together write once. */
export async function touchKey(db: Db, workspaceId: string, keyId: string): Promise<void> {
  await db
    .update(apiKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(and(ofKey(workspaceId, keyId), isStale));
}
