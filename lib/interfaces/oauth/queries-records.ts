import { and, eq, gt, isNull, or, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { oauthConnections, oauthRecords } from "@/db/schema";

type Payload = Record<string, unknown>;

/**
 * Grace period of a used refresh token. Clients refresh concurrently and lose responses; strict rotation would end
 * their access. Later use counts as reuse and ends the grant.
 */
const REUSE_SECONDS = 30;

const isLive = or(isNull(oauthRecords.expiresAt), gt(oauthRecords.expiresAt, sql`clock_timestamp()`));
const isReusable = sql<boolean>`${oauthRecords.model} = 'RefreshToken'
  and ${oauthRecords.consumedAt} > clock_timestamp() - make_interval(secs => ${REUSE_SECONDS})`;

const shown = {
  payload: oauthRecords.payload,
  /** Unix time in seconds; null while the record may still be used. */
  consumedSeconds: sql<number | null>`case when ${isReusable} then null
    else floor(extract(epoch from ${oauthRecords.consumedAt}))::float8 end`,
};

type NewRecord = {
  model: string;
  recordId: string;
  payload: Payload;
  grantId: string | null;
  uid: string | null;
  /** Undefined: the record does not expire. */
  expiresInSeconds: number | undefined;
};

export async function upsertRecord(db: Db, { expiresInSeconds, ...record }: NewRecord): Promise<void> {
  const expiresAt =
    expiresInSeconds === undefined ? null : sql`clock_timestamp() + make_interval(secs => ${expiresInSeconds})`;
  await db
    .insert(oauthRecords)
    .values({ ...record, expiresAt })
    .onConflictDoUpdate({
      target: [oauthRecords.model, oauthRecords.recordId],
      set: { payload: record.payload, grantId: record.grantId, uid: record.uid, expiresAt },
    });
}

export async function findRecord(db: Db, model: string, recordId: string) {
  const [row] = await db
    .select(shown)
    .from(oauthRecords)
    .where(and(eq(oauthRecords.model, model), eq(oauthRecords.recordId, recordId), isLive));
  return row;
}

export async function findRecordByUid(db: Db, model: string, uid: string) {
  const [row] = await db
    .select(shown)
    .from(oauthRecords)
    .where(and(eq(oauthRecords.model, model), eq(oauthRecords.uid, uid), isLive))
    .limit(1);
  return row;
}

/** Consumes a record. Exactly one of several concurrent callers on any replica gets true; refresh tokens are exempt. */
export async function consumeRecord(db: Db, model: string, recordId: string): Promise<boolean> {
  const rows = await db
    .update(oauthRecords)
    .set({ consumedAt: sql`coalesce(${oauthRecords.consumedAt}, clock_timestamp())` })
    .where(
      and(
        eq(oauthRecords.model, model),
        eq(oauthRecords.recordId, recordId),
        or(isNull(oauthRecords.consumedAt), isReusable),
      ),
    )
    .returning({ model: oauthRecords.model });
  return rows.length > 0;
}

export async function deleteRecord(db: Db, model: string, recordId: string): Promise<void> {
  await db.delete(oauthRecords).where(and(eq(oauthRecords.model, model), eq(oauthRecords.recordId, recordId)));
}

/**
 * Stores the result of a pending request, as the library does, unless it has one. One of several concurrent callers gets
 * true; the others wait for its transaction.
 */
export async function storeDecision(db: Db, recordId: string, result: Payload): Promise<boolean> {
  const { payload } = oauthRecords;
  const rows = await db
    .update(oauthRecords)
    .set({ payload: sql`${payload} || jsonb_build_object('result', ${JSON.stringify(result)}::jsonb)` })
    .where(
      and(
        eq(oauthRecords.model, "Interaction"),
        eq(oauthRecords.recordId, recordId),
        sql`${payload} -> 'result' is null`,
        isLive,
      ),
    )
    .returning({ model: oauthRecords.model });
  return rows.length > 0;
}

/** Deletes all codes and tokens of a grant. */
export async function deleteRecordsOfGrant(db: Db, grantId: string): Promise<void> {
  await db.delete(oauthRecords).where(eq(oauthRecords.grantId, grantId));
}

/** Ends a grant: deletes its connection and all of its tokens. */
export async function deleteGrant(db: Db, grantId: string): Promise<void> {
  await db.delete(oauthConnections).where(eq(oauthConnections.grantId, grantId));
  await db
    .delete(oauthRecords)
    .where(
      or(eq(oauthRecords.grantId, grantId), and(eq(oauthRecords.model, "Grant"), eq(oauthRecords.recordId, grantId))),
    );
}

/** Extends a registration to at least `days` from now. */
export async function extendRegistration(db: Db, clientId: string, days: number): Promise<void> {
  await db
    .update(oauthRecords)
    .set({ expiresAt: sql`greatest(${oauthRecords.expiresAt}, clock_timestamp() + make_interval(days => ${days}))` })
    .where(and(eq(oauthRecords.model, "Client"), eq(oauthRecords.recordId, clientId)));
}

/** Deletes expired records and connections; returns the larger number of deleted rows. */
export async function deleteEndedRecords(db: Db, limit: number): Promise<number> {
  // By ctid instead of a join on the key: with outdated statistics, the planner compares every row with all others.
  const records = await db.execute(sql`
    delete from ${oauthRecords} where ctid = any (array(
      select ctid from ${oauthRecords} where expires_at < clock_timestamp() limit ${limit}))
    returning 1`);
  const connections = await db.execute(sql`
    delete from ${oauthConnections} where (workspace_id, grant_id) in (
      select workspace_id, grant_id from ${oauthConnections} where expires_at < clock_timestamp() limit ${limit})
    returning 1`);
  return Math.max(records.length, connections.length);
}
