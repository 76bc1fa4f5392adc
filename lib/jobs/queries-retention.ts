import { asc, gt, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { eventIdFloor } from "@/db/partitions";
import { challengeUses, visits, workspaces } from "@/db/schema";

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
