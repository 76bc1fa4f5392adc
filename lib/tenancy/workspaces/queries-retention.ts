import { and, asc, gt, isNotNull } from "drizzle-orm";

import type { Db } from "@/db/client";
import { workspaces } from "@/db/schema";

/** Workspaces after one of them, in order, each with its own number of days for visits, if it has one. */
export async function listRetentions(db: Db, workspaceId: string | undefined, limit: number) {
  return await db
    .select({ workspaceId: workspaces.workspaceId, days: workspaces.retentionDays })
    .from(workspaces)
    .where(workspaceId === undefined ? undefined : gt(workspaces.workspaceId, workspaceId))
    .orderBy(asc(workspaces.workspaceId))
    .limit(limit);
}

/** Workspaces after one of them that keep visits for a number of days of their own, in order. */
export async function listOwnRetentions(db: Db, workspaceId: string | undefined, limit: number) {
  const after = workspaceId === undefined ? undefined : gt(workspaces.workspaceId, workspaceId);
  const rows = await db
    .select({ workspaceId: workspaces.workspaceId, days: workspaces.retentionDays })
    .from(workspaces)
    .where(and(isNotNull(workspaces.retentionDays), after))
    .orderBy(asc(workspaces.workspaceId))
    .limit(limit);
  return rows.flatMap(({ days, ...row }) => (days === null ? [] : [{ ...row, days }]));
}
