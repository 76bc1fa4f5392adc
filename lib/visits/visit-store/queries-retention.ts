import { sql } from "drizzle-orm";

import { deleteByKey } from "@/db/batches";
import type { Db } from "@/db/client";
import { eventIdFloor } from "@/db/partitions";
import { accountLinks, challengeUses, deviceAddresses, visitRules, visits, visitSignals } from "@/db/schema";
import { ownRetention } from "@/lib/tenancy/workspaces";
import { deleteLabelsOf } from "./queries-labels";

/**
 * Deletes expired challenge uses.
 *
 * @returns number of rows deleted
 */
export const deleteOldChallengeUses = (db: Db, signal: AbortSignal): Promise<number> =>
  deleteByKey(db, challengeUses, sql`expires_at < now() - interval '10 minutes'`, signal);

/**
 * Deletes a batch of a workspace's visits before `to`, with their account links.
 *
 * @returns number of visits deleted
 */
export async function deleteVisitsBefore(
  db: Db,
  { workspaceId, to, limit }: { workspaceId: string; to: Date; limit: number },
): Promise<number> {
  const workspace = sql`${sql.param(workspaceId, visits.workspaceId)}::uuid`;
  // Repeated for each table, so that the planner can prune the partitions that are kept.
  const old = sql`workspace_id = ${workspace} and event_id < ${eventIdFloor(to)}::uuid`;
  const [row] = await db.execute<{ deleted: number }>(sql`
    with batch as (
      select event_id from ${visits} where ${old} order by event_id limit ${limit}
    ), linked as (
      delete from ${accountLinks} where ${old} and event_id = any (array(select event_id from batch))
    ), signalled as (
      delete from ${visitSignals} where ${old} and event_id = any (array(select event_id from batch))
    ), ruled as (
      delete from ${visitRules} where ${old} and event_id = any (array(select event_id from batch))
    ), labelled as (${deleteLabelsOf("visit", workspace, sql`select event_id from batch`)}
    ), visited as (
      delete from ${visits} where ${old} and event_id = any (array(select event_id from batch)) returning 1
    )
    select count(*)::int as deleted from visited`);
  return row?.deleted ?? 0;
}

/**
 * Deletes device addresses that were last seen before the workspace's retention period.
 *
 * @returns number of rows deleted
 */
export const deleteOldDeviceAddresses = (db: Db, instanceDays: number, signal: AbortSignal): Promise<number> =>
  deleteByKey(
    db,
    deviceAddresses,
    sql`last_seen_at < now() - make_interval(days => least(${instanceDays}::int, ${ownRetention(sql`${deviceAddresses}`)}))`,
    signal,
  );

/**
 * Erases the raw signals that 0.1 stored with a batch of a workspace's visits, from `from` (inclusive) to `to`
 * (exclusive). Scans the primary key, so that the planner prunes partitions outside the range.
 *
 * @returns number of visits whose signals were erased
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
