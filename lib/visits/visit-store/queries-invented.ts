import { sql } from "drizzle-orm";

import { insertMissing } from "@/db/batches";
import type { Db } from "@/db/client";
import { accountLinks, deviceAccounts, deviceAddresses, devices, deviceTokens, visits } from "@/db/schema";
import { uuid } from "./queries-parts";

type Rows<Table extends { $inferInsert: unknown }> = readonly Table["$inferInsert"][];

/** Inserts invented visits and what they would have left. A row that is there already stays. */
export async function insertInvented(
  db: Db,
  rows: {
    devices: Rows<typeof devices>;
    deviceTokens: Rows<typeof deviceTokens>;
    deviceAddresses: Rows<typeof deviceAddresses>;
    visits: Rows<typeof visits>;
    accountLinks: Rows<typeof accountLinks>;
    deviceAccounts: Rows<typeof deviceAccounts>;
  },
): Promise<void> {
  await insertMissing(db, devices, rows.devices);
  await insertMissing(db, deviceTokens, rows.deviceTokens);
  await insertMissing(db, deviceAddresses, rows.deviceAddresses);
  await insertMissing(db, visits, rows.visits);
  await insertMissing(db, accountLinks, rows.accountLinks);
  await insertMissing(db, deviceAccounts, rows.deviceAccounts);
}

export async function hasVisits(db: Db, workspaceId: string): Promise<boolean> {
  const rows = await db.execute(sql`select 1 from visits where workspace_id = ${uuid(workspaceId)} limit 1`);
  return rows.length > 0;
}
