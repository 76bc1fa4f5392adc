import { sql } from "drizzle-orm";

import { insertMissing } from "@/db/batches";
import type { Db } from "@/db/client";
import { reportDeliveries, unitSlices, usageDays, usageMarks } from "@/db/schema";

type Rows<Table extends { $inferInsert: unknown }> = readonly Table["$inferInsert"][];

/** Inserts demo deliveries into the ledger. Existing ones are left unchanged. */
export const insertDeliveries = (db: Db, rows: Rows<typeof reportDeliveries>): Promise<void> =>
  insertMissing(db, reportDeliveries, rows);

/** Inserts demo call counts. Existing days are left unchanged. */
export const insertUsageDays = (db: Db, rows: Rows<typeof usageDays>): Promise<void> =>
  insertMissing(db, usageDays, rows);

/** Adds used units to the current month and leaves no room in the slices: the next delivery divides the plan's units again. */
export async function addUnits(db: Db, workspaceId: string, period: string, slices: readonly number[]): Promise<void> {
  if (slices.length === 0) return;
  const rows = slices.map((units, slice) => ({
    ...{ workspaceId, period, slice, planUnits: -1 },
    unitsUsed: units,
    unitsLimit: units,
  }));
  const used = sql`${unitSlices.unitsUsed} + excluded.units_used`;
  await db
    .insert(unitSlices)
    .values(rows)
    .onConflictDoUpdate({
      target: [unitSlices.workspaceId, unitSlices.period, unitSlices.slice],
      set: { unitsUsed: used, unitsLimit: used, planUnits: -1 },
    });
}

/** Marks all deliveries so far as already aggregated into days. */
export async function markFolded(db: Db, workspaceId: string): Promise<void> {
  await db
    .insert(usageMarks)
    .values({ workspaceId, foldedUntil: sql`statement_timestamp()` })
    .onConflictDoUpdate({ target: usageMarks.workspaceId, set: { foldedUntil: sql`excluded.folded_until` } });
}
