import { and, desc, eq, gte, max, sql, sum } from "drizzle-orm";

import { deleteByKey, insertMissing } from "@/db/batches";
import type { Db } from "@/db/client";
import { refusedOrigins, webApps } from "@/db/schema";

/** Origin of the row that counts an hour's origins beyond the bound. */
export const OTHER_ORIGINS = "*";

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

/** Increments an existing row; false when there is none. Limits a flood of random origins to one statement each. */
export async function countKnownRefusal(db: Db, key: WebAppKey, origin: string, bound: number): Promise<boolean> {
  const isKnown = sql`exists (select 1 from ${refusedOrigins} where ${ofThisHour(key)} and ${refusedOrigins.origin} = ${origin})`;
  const rows = await db
    .update(refusedOrigins)
    .set({ count: sql`${refusedOrigins.count} + 1`, lastSeenAt: sql`now()` })
    .where(
      and(
        ofThisHour(key),
        sql`${refusedOrigins.origin} = case when ${isKnown} then ${origin} when ${countedOrigins(key)} >= ${bound} then ${OTHER_ORIGINS} end`,
      ),
    )
    .returning({ count: refusedOrigins.count });
  return rows.length > 0;
}

/** Serialises new origins of the Web App until the transaction ends, so that the bound is exact. */
export async function lockRefusals(tx: Db, { workspaceId, webAppId }: WebAppKey): Promise<void> {
  await tx
    .select({ webAppId: webApps.webAppId })
    .from(webApps)
    .where(and(eq(webApps.workspaceId, workspaceId), eq(webApps.webAppId, webAppId)))
    .for("no key update");
}

export async function insertRefusal(tx: Db, key: WebAppKey, origin: string, bound: number): Promise<void> {
  const [workspace, webApp] = [
    sql.param(key.workspaceId, webApps.workspaceId),
    sql.param(key.webAppId, webApps.webAppId),
  ];
  // From a row of the workspace's own: a cluster counts on its shard.
  await tx.execute(sql`
    insert into refused_origins as r (workspace_id, web_app_id, hour, origin, count, last_seen_at)
    select workspace_id, web_app_id, ${thisHour}, case when ${countedOrigins(key)} < ${bound}::int then ${origin} else ${OTHER_ORIGINS} end,
      1, now()
    from web_apps where workspace_id = ${workspace}::uuid and web_app_id = ${webApp}::uuid
    on conflict (workspace_id, web_app_id, hour, origin)
    do update set count = r.count + 1, last_seen_at = excluded.last_seen_at`);
}

/** The refusals of the last 24 hours, the most recently seen first. */
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

/** The refusals of the last 24 hours of all Web Apps of a workspace, the most frequent first. Each Web App has few. */
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

/** Inserts invented refusals. An origin that was refused in that hour already stays. */
export const insertRefusedOrigins = (db: Db, rows: readonly (typeof refusedOrigins.$inferInsert)[]): Promise<void> =>
  insertMissing(db, refusedOrigins, rows);
