import { and, count, desc, eq, inArray, type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { caseEntries, caseItems, cases } from "@/db/schema";
import type { Position } from "@/lib/platform/cursor";
import { behind, positionColumns } from "@/lib/platform/queries-cursor";
import type { CaseStatus } from "./domain/case";

const caseColumns = {
  caseId: cases.caseId,
  name: cases.name,
  status: cases.status,
  assigneeId: cases.assigneeId,
  createdBy: cases.createdBy,
  createdAt: cases.createdAt,
  changedAt: cases.changedAt,
};

const ofCase = (workspaceId: string, caseId: string) =>
  and(eq(cases.workspaceId, workspaceId), eq(cases.caseId, caseId));

/** Number of items in a case: counts a range of the primary key. */
const itemsOf = (workspaceId: string) => sql<number>`(
  select count(*)::int from case_items i
  where i.workspace_id = ${sql.param(workspaceId, cases.workspaceId)}::uuid and i.case_id = cases.case_id)`;

type Page = {
  statuses: readonly CaseStatus[] | undefined;
  assigneeId: string | undefined;
  before: Position | undefined;
  limit: number;
};

/** Cases, most recently changed first, starting after `before`. */
export function listCaseRows(db: Db, workspaceId: string, { statuses, assigneeId, before, limit }: Page) {
  return db
    .select({
      summary: { ...caseColumns, items: itemsOf(workspaceId) },
      position: positionColumns(cases.changedAt, cases.caseId),
    })
    .from(cases)
    .where(
      and(
        eq(cases.workspaceId, workspaceId),
        statuses === undefined ? undefined : inArray(cases.status, [...statuses]),
        assigneeId === undefined ? undefined : eq(cases.assigneeId, assigneeId),
        behind(cases.changedAt, cases.caseId, before),
      ),
    )
    .orderBy(desc(cases.changedAt), desc(cases.caseId))
    .limit(limit);
}

export function listCaseNames(db: Db, workspaceId: string, caseIds: readonly string[]) {
  return db
    .select({ caseId: cases.caseId, name: cases.name })
    .from(cases)
    .where(and(eq(cases.workspaceId, workspaceId), inArray(cases.caseId, [...caseIds])));
}

export async function countCases(tx: Db, workspaceId: string): Promise<number> {
  const [row] = await tx.select({ cases: count() }).from(cases).where(eq(cases.workspaceId, workspaceId));
  return row?.cases ?? 0;
}

export async function findCase(db: Db, workspaceId: string, caseId: string) {
  const [row] = await db.select(caseColumns).from(cases).where(ofCase(workspaceId, caseId));
  return row;
}

/** The case, locked until the end of the transaction. */
export async function lockCaseRow(tx: Db, workspaceId: string, caseId: string) {
  const [row] = await tx.select(caseColumns).from(cases).where(ofCase(workspaceId, caseId)).for("update");
  return row;
}

export async function insertCase(
  tx: Db,
  row: { workspaceId: string; caseId: string; name: string; createdBy: string; assigneeId: string },
): Promise<void> {
  await tx.insert(cases).values(row);
}

type Change = { name?: string; status?: CaseStatus; assigneeId?: string };

/** Updates a case and its change time. */
export async function updateCase(tx: Db, workspaceId: string, caseId: string, change: Change = {}): Promise<void> {
  const changedAt: SQL = sql`statement_timestamp()`;
  await tx
    .update(cases)
    .set({ ...change, changedAt })
    .where(ofCase(workspaceId, caseId));
}

/** Deletes a case with its items and history. */
export async function removeCase(tx: Db, workspaceId: string, caseId: string): Promise<void> {
  const within = (table: typeof caseItems | typeof caseEntries) =>
    and(eq(table.workspaceId, workspaceId), eq(table.caseId, caseId));
  await tx.delete(caseEntries).where(within(caseEntries));
  await tx.delete(caseItems).where(within(caseItems));
  await tx.delete(cases).where(ofCase(workspaceId, caseId));
}
