import { and, asc, count, eq, gt, inArray, isNotNull, type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { members, workspaces } from "@/db/schema";
import type { Plan } from "./domain/plans";

export async function insertWorkspace(db: Db, row: { workspaceId: string; name: string; plan: Plan }): Promise<void> {
  await db.insert(workspaces).values(row);
}

/** The plan of a workspace, and one person's membership in it. */
export async function findAccess(db: Db, workspaceId: string, userId: string | undefined) {
  const [row] = await db
    .select({
      plan: workspaces.plan,
      logsReportViews: workspaces.logsReportViews,
      role: members.role,
      canSeeAddresses: members.canSeeAddresses,
    })
    .from(workspaces)
    .leftJoin(members, and(eq(members.workspaceId, workspaces.workspaceId), eq(members.userId, userId ?? "")))
    .where(eq(workspaces.workspaceId, workspaceId));
  return row;
}

export async function findWorkspace(db: Db, workspaceId: string) {
  const [row] = await db
    .select({
      workspaceId: workspaces.workspaceId,
      name: workspaces.name,
      plan: workspaces.plan,
      retentionDays: workspaces.retentionDays,
      logsReportViews: workspaces.logsReportViews,
      createdAt: workspaces.createdAt,
      demoPercent: workspaces.demoPercent,
    })
    .from(workspaces)
    .where(eq(workspaces.workspaceId, workspaceId));
  return row;
}

/** Sets the progress of storing demo data, in per cent; false if the workspace is gone. */
export async function setDemoPercent(db: Db, workspaceId: string, percent: number): Promise<boolean> {
  const rows = await db
    .update(workspaces)
    .set({ demoPercent: percent })
    .where(eq(workspaces.workspaceId, workspaceId))
    .returning({ workspaceId: workspaces.workspaceId });
  return rows.length > 0;
}

/** Deletes a workspace that has no other data left. */
export async function deleteWorkspaceRow(tx: Db, workspaceId: string): Promise<void> {
  await tx.delete(workspaces).where(eq(workspaces.workspaceId, workspaceId));
}

/** Number of workspaces with demo data. */
export async function countDemoWorkspaces(db: Db): Promise<number> {
  const [row] = await db.select({ found: count() }).from(workspaces).where(isNotNull(workspaces.demoPercent));
  return row?.found ?? 0;
}

/** The current settings, with the row locked until the end of the transaction. */
export async function lockWorkspace(tx: Db, workspaceId: string) {
  const [row] = await tx
    .select({
      name: workspaces.name,
      plan: workspaces.plan,
      retentionDays: workspaces.retentionDays,
      logsReportViews: workspaces.logsReportViews,
    })
    .from(workspaces)
    .where(eq(workspaces.workspaceId, workspaceId))
    .for("no key update");
  return row;
}

export type Settings = NonNullable<Awaited<ReturnType<typeof lockWorkspace>>>;

export async function updateWorkspace(tx: Db, workspaceId: string, change: Partial<Settings>): Promise<void> {
  await tx.update(workspaces).set(change).where(eq(workspaces.workspaceId, workspaceId));
}

/** Joins the workspace of a row as `w`, for statements of other features that need its `plan` or `retention_days`. */
export const joinWorkspace = (row: string): SQL => sql.raw(`join workspaces w on w.workspace_id = ${row}.workspace_id`);

/** The retention in days that the workspace of a row has set, or null. */
export const ownRetention = (row: SQL): SQL =>
  sql`(select w.retention_days from workspaces w where w.workspace_id = ${row}.workspace_id)`;

/** Workspaces after the given one, ordered by id, each with its own retention in days, if any. */
export function listRetentions(db: Db, workspaceId: string | undefined, limit: number) {
  return db
    .select({ workspaceId: workspaces.workspaceId, days: workspaces.retentionDays })
    .from(workspaces)
    .where(workspaceId === undefined ? undefined : gt(workspaces.workspaceId, workspaceId))
    .orderBy(asc(workspaces.workspaceId))
    .limit(limit);
}

/** All workspaces except those of purchased trials. */
export function listCommercialWorkspaces(db: Db) {
  return db
    .select({
      workspaceId: workspaces.workspaceId,
      name: workspaces.name,
      plan: workspaces.plan,
      createdAt: workspaces.createdAt,
    })
    .from(workspaces)
    .where(inArray(workspaces.plan, ["lite", "pro", "enterprise"]))
    .orderBy(asc(workspaces.createdAt), asc(workspaces.workspaceId));
}

export function listWorkspacesOfMember(db: Db, userId: string) {
  return db
    .select({
      workspaceId: workspaces.workspaceId,
      name: workspaces.name,
      plan: workspaces.plan,
      createdAt: workspaces.createdAt,
      role: members.role,
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.workspaceId, members.workspaceId))
    .where(eq(members.userId, userId))
    .orderBy(sql`lower(${workspaces.name})`, asc(workspaces.workspaceId));
}
