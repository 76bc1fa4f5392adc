import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import {
  accountLinks,
  deviceAccounts,
  deviceAddresses,
  devices,
  deviceTokens,
  refusedOrigins,
  reportDeliveries,
  unitSlices,
  usageDays,
  usageMarks,
  visits,
} from "@/db/schema";
import { idToUuid } from "@/lib/contract/ids";

/** Rows of one statement: well below the most parameters that one may have, and short enough for its deadline. */
const ROWS_AT_ONCE = 250;

async function inBatches<Row>(rows: readonly Row[], insert: (batch: Row[]) => PromiseLike<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) await insert(rows.slice(from, from + ROWS_AT_ONCE));
}

type Rows<Table extends { $inferInsert: unknown }> = readonly Table["$inferInsert"][];

/** Fills tables as the features that own them would have over time. A row that is there already stays. */
export const insertInto = {
  devices: (db: Db, rows: Rows<typeof devices>) =>
    inBatches(rows, (batch) => db.insert(devices).values(batch).onConflictDoNothing()),
  deviceTokens: (db: Db, rows: Rows<typeof deviceTokens>) =>
    inBatches(rows, (batch) => db.insert(deviceTokens).values(batch).onConflictDoNothing()),
  deviceAddresses: (db: Db, rows: Rows<typeof deviceAddresses>) =>
    inBatches(rows, (batch) => db.insert(deviceAddresses).values(batch).onConflictDoNothing()),
  visits: (db: Db, rows: Rows<typeof visits>) =>
    inBatches(rows, (batch) => db.insert(visits).values(batch).onConflictDoNothing()),
  accountLinks: (db: Db, rows: Rows<typeof accountLinks>) =>
    inBatches(rows, (batch) => db.insert(accountLinks).values(batch).onConflictDoNothing()),
  deviceAccounts: (db: Db, rows: Rows<typeof deviceAccounts>) =>
    inBatches(rows, (batch) => db.insert(deviceAccounts).values(batch).onConflictDoNothing()),
  reportDeliveries: (db: Db, rows: Rows<typeof reportDeliveries>) =>
    inBatches(rows, (batch) => db.insert(reportDeliveries).values(batch).onConflictDoNothing()),
  usageDays: (db: Db, rows: Rows<typeof usageDays>) =>
    inBatches(rows, (batch) => db.insert(usageDays).values(batch).onConflictDoNothing()),
  refusedOrigins: (db: Db, rows: Rows<typeof refusedOrigins>) =>
    inBatches(rows, (batch) => db.insert(refusedOrigins).values(batch).onConflictDoNothing()),
};

export async function hasVisits(db: Db, workspaceId: string): Promise<boolean> {
  const rows = await db.execute(sql`select 1 from visits where workspace_id = ${idToUuid(workspaceId)}::uuid limit 1`);
  return rows.length > 0;
}

/** Adds units used in the present month, without room left in the slices: the next delivery divides the plan's units anew. */
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

/** What was delivered until now is in the days already. */
export async function markFolded(db: Db, workspaceId: string): Promise<void> {
  await db
    .insert(usageMarks)
    .values({ workspaceId, foldedUntil: sql`clock_timestamp()` })
    .onConflictDoUpdate({ target: usageMarks.workspaceId, set: { foldedUntil: sql`clock_timestamp()` } });
}
