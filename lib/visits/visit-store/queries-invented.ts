import { sql } from "drizzle-orm";

import { inBatches } from "@/db/batches";
import type { Db } from "@/db/client";
import { accountLinks, deviceAccounts, deviceAddresses, devices, deviceTokens, visits } from "@/db/schema";
import { uuid } from "./queries-parts";

type Rows<Table extends { $inferInsert: unknown }> = readonly Table["$inferInsert"][];

/** Inserts invented visits and what they would have left. A row that is there already stays. */
export const insertInvented = {
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
};

export async function hasVisits(db: Db, workspaceId: string): Promise<boolean> {
  const rows = await db.execute(sql`select 1 from visits where workspace_id = ${uuid(workspaceId)} limit 1`);
  return rows.length > 0;
}
