import { and, desc, eq, gte, max, sql, sum } from "drizzle-orm";

import { deleteByKey, insertMissing } from "@/db/batches";
import type { Db } from "@/db/client";
import { executeFor } from "@/db/prepared";
import { refusedOrigins, webApps } from "@/db/schema";

/** Origin of the row that counts all origins of an hour beyond the bound. */
const OTHER_ORIGINS = "*";

type WebAppKey = { workspaceId: string; webAppId: string };

const thisHour = sql`date_trunc('hour', now())`;

const ofThisHour = ({ workspaceId, webAppId }: WebAppKey) =>
  and(
    eq(refusedOrigins.workspaceId, workspaceId),
    eq(refusedOrigins.webAppId, webAppId),
    eq(refusedOrigins.hour, thisHour),
  );

const countedOrigins = (key: WebAppKey) =>
  sql`(select count(*) from ${refusedOrigins} where ${ofThisHour(key)} and ${refusedOrigins.origin} <> ${OTHER_ORIGINS})`;

/** Increments an existing row; false if there is none. A flood of random origins thus costs one statement each. */
export async function countKnownRefusal(db: Db, key: WebAppKey, origin: string, bound: number): Promise<boolean> {
  const isKnown = sql`exists (select 1 from ${refusedOrigins} where ${ofThisHour(key)} and ${refusedOrigins.origin} = ${origin})`;
  const counted = db
    .update(refusedOrigins)
    .set({ count: sql`${refusedOrigins.count} + 1`, lastSeenAt: sql`now()` })
    .where(
      and(
        ofThisHour(key),
        sql`${refusedOrigins.origin} = case when ${isKnown} then ${origin} when ${countedOrigins(key)} >= ${bound} then ${OTHER_ORIGINS} end`,
      ),
    )
    .returning({ count: refusedOrigins.count });
  return (await executeFor(db, key.workspaceId, counted.getSQL())).length > 0;
}

/** Serialises the insertion of new origins of the Web App until the end of the transaction, so that the bound is exact. */
export async function lockRefusals(tx: Db, { workspaceId, webAppId }: WebAppKey): Promise<void> {
  await tx
    .select({ webAppId: webApps.webAppId })
    .from(webApps)
    .where(and(eq(webApps.workspaceId, workspaceId), eq(webApps.webAppId, webAppId)))
    .for("no key update");
}

export async function insertRefusal(tx: Db, key: WebAppKey, origin: string, bound: number): Promise<void> {
  const counted = sql<string>`case when ${countedOrigins(key)} < ${bound} then ${origin} else ${OTHER_ORIGINS} end`;
  const inserted = tx
    .insert(refusedOrigins)
    .values({ ...key, hour: thisHour, origin: counted, count: 1, lastSeenAt: sql`now()` })
    .onConflictDoUpdate({
      target: [refusedOrigins.workspaceId, refusedOrigins.webAppId, refusedOrigins.hour, refusedOrigins.origin],
      set: { count: sql`${refusedOrigins.count} + 1`, lastSeenAt: sql`now()` },
    })
    .returning({ count: refusedOrigins.count });
  await executeFor(tx, key.workspaceId, inserted.getSQL());
}

/** Refusals of the last 24 hours, most recent first. */
export async function listRefusals(db: Db, { workspaceId, webAppId }: WebAppKey, limit: number) {
  return await db
    .select({
      origin: refusedOrigins.origin,
      count: sum(refusedOrigins.count).mapWith(Number),
      lastSeenAt: max(refusedOrigins.lastSeenAt),
    })
    .from(refusedOrigins)
    .where(
      and(
        eq(refusedOrigins.workspaceId, workspaceId),
        eq(refusedOrigins.webAppId, webAppId),
        gte(refusedOrigins.lastSeenAt, sql`now() - interval '24 hours'`),
      ),
    )
    .groupBy(refusedOrigins.origin)
    .orderBy(desc(max(refusedOrigins.lastSeenAt)), refusedOrigins.origin)
    .limit(limit);
}

/** Refusals of the last 24 hours of all Web Apps of a workspace, most frequent first. Each Web App has few. */
export async function listRefusalsOfWorkspace(db: Db, workspaceId: string) {
  const count = sum(refusedOrigins.count).mapWith(Number);
  return await db
    .select({ webAppId: refusedOrigins.webAppId, origin: refusedOrigins.origin, count })
    .from(refusedOrigins)
    .where(
      and(
        eq(refusedOrigins.workspaceId, workspaceId),
        gte(refusedOrigins.lastSeenAt, sql`now() - interval '24 hours'`),
      ),
    )
    .groupBy(refusedOrigins.webAppId, refusedOrigins.origin)
    .orderBy(desc(count), refusedOrigins.origin);
}

/** Deletes rows that are no longer shown; returns their number. */
export const purgeRefusedOrigins = (db: Db, signal: AbortSignal): Promise<number> =>
  deleteByKey(db, refusedOrigins, sql`last_seen_at < now() - interval '24 hours'`, signal);

/** Inserts demo refusals. Existing rows of an origin and hour are left unchanged. */
export const insertRefusedOrigins = (db: Db, rows: readonly (typeof refusedOrigins.$inferInsert)[]): Promise<void> =>
  insertMissing(db, refusedOrigins, rows);
