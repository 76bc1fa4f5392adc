import { and, asc, count, desc, eq } from "drizzle-orm";

import type { Db } from "@/db/client";
import { caseEntries, caseItems } from "@/db/schema";
import type { Position } from "@/lib/platform/cursor";
import { behind, positionColumns } from "@/lib/platform/queries-cursor";
import type { CaseItem, ItemKind } from "./domain/case";

const itemsOf = (workspaceId: string, caseId: string) =>
  and(eq(caseItems.workspaceId, workspaceId), eq(caseItems.caseId, caseId));

/** The items of a case, oldest first. */
export function listItemRows(db: Db, workspaceId: string, caseId: string, limit: number) {
  return db
    .select({
      kind: caseItems.kind,
      value: caseItems.value,
      note: caseItems.note,
      addedBy: caseItems.addedBy,
      addedAt: caseItems.addedAt,
    })
    .from(caseItems)
    .where(itemsOf(workspaceId, caseId))
    .orderBy(asc(caseItems.addedAt), asc(caseItems.kind), asc(caseItems.value))
    .limit(limit);
}

export async function countItems(tx: Db, workspaceId: string, caseId: string): Promise<number> {
  const [row] = await tx.select({ items: count() }).from(caseItems).where(itemsOf(workspaceId, caseId));
  return row?.items ?? 0;
}

/** Inserts items and returns those that were new. */
export async function insertItems(
  tx: Db,
  { workspaceId, caseId, items, note, addedBy }: NewItems,
): Promise<CaseItem[]> {
  const rows = await tx
    .insert(caseItems)
    .values(
      items.map(({ kind, value, deviceId }) => ({
        ...{ workspaceId, caseId, kind, value, note, addedBy },
        deviceId: deviceId ?? null,
      })),
    )
    .onConflictDoNothing()
    .returning({ kind: caseItems.kind, value: caseItems.value, deviceId: caseItems.deviceId });
  return rows.map(({ deviceId, ...item }) => ({ ...item, deviceId: deviceId ?? undefined }));
}

type NewItems = { workspaceId: string; caseId: string; items: readonly CaseItem[]; note: string; addedBy: string };

/** Deletes an item from its case; undefined if it was not there. */
export async function removeItem(
  tx: Db,
  { workspaceId, caseId, kind, value }: { workspaceId: string; caseId: string; kind: ItemKind; value: string },
): Promise<CaseItem | undefined> {
  const [row] = await tx
    .delete(caseItems)
    .where(and(itemsOf(workspaceId, caseId), eq(caseItems.kind, kind), eq(caseItems.value, value)))
    .returning({ kind: caseItems.kind, value: caseItems.value, deviceId: caseItems.deviceId });
  return row && { ...row, deviceId: row.deviceId ?? undefined };
}

const entriesOf = (workspaceId: string, caseId: string) =>
  and(eq(caseEntries.workspaceId, workspaceId), eq(caseEntries.caseId, caseId));

const entryColumns = {
  entryId: caseEntries.entryId,
  at: caseEntries.at,
  actorKind: caseEntries.actorKind,
  actorId: caseEntries.actorId,
  kind: caseEntries.kind,
  text: caseEntries.text,
  former: caseEntries.former,
  itemKind: caseEntries.itemKind,
  itemValue: caseEntries.itemValue,
};

/** History of a case, newest first, starting after `before`. */
export function listEntryRows(
  db: Db,
  { workspaceId, caseId }: { workspaceId: string; caseId: string },
  { before, limit }: { before: Position | undefined; limit: number },
) {
  return db
    .select({
      position: positionColumns(caseEntries.at, caseEntries.entryId),
      entry: entryColumns,
    })
    .from(caseEntries)
    .where(and(entriesOf(workspaceId, caseId), behind(caseEntries.at, caseEntries.entryId, before)))
    .orderBy(desc(caseEntries.at), desc(caseEntries.entryId))
    .limit(limit);
}

export type NewEntry = Omit<typeof caseEntries.$inferInsert, "at">;

export async function insertEntries(tx: Db, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length > 0) await tx.insert(caseEntries).values([...entries]);
}

type EntryRef = { workspaceId: string; caseId: string; entryId: string };

export async function findComment(tx: Db, { workspaceId, caseId, entryId }: EntryRef) {
  const [row] = await tx
    .select({ actorId: caseEntries.actorId })
    .from(caseEntries)
    .where(and(entriesOf(workspaceId, caseId), eq(caseEntries.entryId, entryId), eq(caseEntries.kind, "comment")));
  return row;
}

export async function removeEntry(tx: Db, { workspaceId, caseId, entryId }: EntryRef): Promise<void> {
  await tx.delete(caseEntries).where(and(entriesOf(workspaceId, caseId), eq(caseEntries.entryId, entryId)));
}
