import { and, asc, gt, isNotNull, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { eventIdFloor } from "@/db/partitions";
import { accountLinks, challengeUses, deviceAddresses, toolCalls, visits, workspaces } from "@/db/schema";

/** Deletes one batch of used challenges that nobody can present any more; the number deleted. */
export async function deleteOldChallengeUses(db: Db, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    delete from ${challengeUses} where ctid = any (array(
      select ctid from ${challengeUses} where expires_at < now() - interval '10 minutes' limit ${limit}))
    returning 1`);
  return rows.length;
}

/** The ids of workspaces after one of them, in order. */
export async function listWorkspaceIdsAfter(db: Db, workspaceId: string | undefined, limit: number): Promise<string[]> {
  const rows = await db
    .select({ workspaceId: workspaces.workspaceId })
    .from(workspaces)
    .where(workspaceId === undefined ? undefined : gt(workspaces.workspaceId, workspaceId))
    .orderBy(asc(workspaces.workspaceId))
    .limit(limit);
  return rows.map((row) => row.workspaceId);
}

/** Workspaces after one of them, in order, each with its own number of days for visits, if it has one. */
export async function listRetentionsAfter(db: Db, workspaceId: string | undefined, limit: number) {
  return await db
    .select({ workspaceId: workspaces.workspaceId, days: workspaces.retentionDays })
    .from(workspaces)
    .where(workspaceId === undefined ? undefined : gt(workspaces.workspaceId, workspaceId))
    .orderBy(asc(workspaces.workspaceId))
    .limit(limit);
}

/** Workspaces after one of them that keep visits for a number of days of their own, in order. */
export async function listOwnRetentionsAfter(db: Db, workspaceId: string | undefined, limit: number) {
  const after = workspaceId === undefined ? undefined : gt(workspaces.workspaceId, workspaceId);
  const rows = await db
    .select({ workspaceId: workspaces.workspaceId, days: workspaces.retentionDays })
    .from(workspaces)
    .where(and(isNotNull(workspaces.retentionDays), after))
    .orderBy(asc(workspaces.workspaceId))
    .limit(limit);
  return rows.flatMap(({ days, ...row }) => (days === null ? [] : [{ ...row, days }]));
}

/** Deletes one batch of a workspace's visits before `to` with their links to accounts; the number of visits deleted. */
export async function deleteVisitsBefore(
  db: Db,
  { workspaceId, to, limit }: { workspaceId: string; to: Date; limit: number },
): Promise<number> {
  const workspace = sql`${sql.param(workspaceId, visits.workspaceId)}::uuid`;
  // Said of each table, so that the database leaves the months alone that are kept.
  const old = sql`workspace_id = ${workspace} and event_id < ${eventIdFloor(to)}::uuid`;
  const [row] = await db.execute<{ deleted: number }>(sql`
    with batch as (
      select event_id from ${visits} where ${old} order by event_id limit ${limit}
    ), linked as (
      delete from ${accountLinks} where ${old} and event_id in (select event_id from batch)
    ), visited as (
      delete from ${visits} where ${old} and event_id in (select event_id from batch) returning 1
    )
    select count(*)::int as deleted from visited`);
  return row?.deleted ?? 0;
}

/**
 * Deletes one batch of the addresses of devices that were seen last before their workspace keeps visits; the number
 * deleted.
 */
export async function deleteOldDeviceAddresses(db: Db, instanceDays: number, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    delete from ${deviceAddresses} where ctid = any (array(
      select a.ctid from ${deviceAddresses} a join ${workspaces} w on w.workspace_id = a.workspace_id
      where a.last_seen_at < now() - make_interval(days => least(w.retention_days, ${instanceDays}::int))
      limit ${limit}))
    returning 1`);
  return rows.length;
}

/**
 * Deletes one batch of calls of tools that are older than `days`, or than their workspace keeps visits; the number
 * deleted. Two looks, so that an index finds each.
 */
export async function deleteToolCallsOlderThan(db: Db, days: number, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    delete from ${toolCalls} where ctid = any (array(
      select ctid from ${toolCalls} where called_at < now() - make_interval(days => ${days}::int)
      union all
      select c.ctid from ${workspaces} w join ${toolCalls} c on c.workspace_id = w.workspace_id
        and c.called_at < now() - make_interval(days => w.retention_days)
      where w.retention_days < ${days}::int
      limit ${limit}))
    returning 1`);
  return rows.length;
}

/**
 * Erases the raw signals of one batch of a workspace's visits from `from` to before `to`; the number erased.
 * It walks the primary key, whose months outside the range the database leaves alone.
 */
export async function eraseSignals(
  db: Db,
  { workspaceId, from, to, limit }: { workspaceId: string; from: Date; to: Date; limit: number },
): Promise<number> {
  const workspace = sql`${sql.param(workspaceId, visits.workspaceId)}::uuid`;
  const range = sql`event_id >= ${eventIdFloor(from)}::uuid and event_id < ${eventIdFloor(to)}::uuid`;
  const rows = await db.execute(sql`
    update ${visits} set signals = null
    where workspace_id = ${workspace} and ${range} and event_id = any (array(
      select event_id from ${visits}
      where workspace_id = ${workspace} and ${range} and signals is not null
      order by event_id limit ${limit}))
    returning 1`);
  return rows.length;
}
