import { and, asc, count, eq } from "drizzle-orm";

import type { Db } from "@/db/client";
import { reportViews } from "@/db/schema";

type NewView = { workspaceId: string; viewId: string; name: string; query: string; createdBy: string };

const viewColumns = {
  viewId: reportViews.viewId,
  name: reportViews.name,
  query: reportViews.query,
  createdBy: reportViews.createdBy,
  createdAt: reportViews.createdAt,
};

const ofView = (workspaceId: string, viewId: string) =>
  and(eq(reportViews.workspaceId, workspaceId), eq(reportViews.viewId, viewId));

const selectViews = (db: Db) => db.select(viewColumns).from(reportViews);
export type ViewRow = Awaited<ReturnType<typeof selectViews>>[number];

export const listViewRows = (db: Db, workspaceId: string): Promise<ViewRow[]> =>
  selectViews(db).where(eq(reportViews.workspaceId, workspaceId)).orderBy(asc(reportViews.name));

export async function findViewRow(db: Db, workspaceId: string, viewId: string): Promise<ViewRow | undefined> {
  const [row] = await selectViews(db).where(ofView(workspaceId, viewId));
  return row;
}

export async function countViews(db: Db, workspaceId: string): Promise<number> {
  const [row] = await db.select({ views: count() }).from(reportViews).where(eq(reportViews.workspaceId, workspaceId));
  return row?.views ?? 0;
}

export async function insertView(tx: Db, row: NewView): Promise<void> {
  await tx.insert(reportViews).values(row);
}

/** The view, locked until the end of the transaction. */
export async function lockView(tx: Db, workspaceId: string, viewId: string) {
  const [row] = await selectViews(tx).where(ofView(workspaceId, viewId)).for("update");
  return row;
}

export async function hasViewNamed(tx: Db, workspaceId: string, name: string): Promise<boolean> {
  const rows = await tx
    .select({ viewId: reportViews.viewId })
    .from(reportViews)
    .where(and(eq(reportViews.workspaceId, workspaceId), eq(reportViews.name, name)));
  return rows.length > 0;
}

export async function updateViewName(tx: Db, workspaceId: string, viewId: string, name: string): Promise<void> {
  await tx.update(reportViews).set({ name }).where(ofView(workspaceId, viewId));
}

export async function removeView(tx: Db, workspaceId: string, viewId: string): Promise<void> {
  await tx.delete(reportViews).where(ofView(workspaceId, viewId));
}
