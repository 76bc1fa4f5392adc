import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createSite, visit } from "@/test/visits";

const { db } = await createTestDatabase({ poolSize: 1 });

/** Index entries read from indexes whose names match `names`, as counted by the connection that read them. */
async function entriesRead(names: string): Promise<number> {
  await db.execute(sql`select pg_stat_force_next_flush()`);
  const [row] = await db.execute<{ read: number }>(sql`
    select coalesce(sum(idx_tup_read), 0)::int as read from pg_stat_user_indexes where indexrelname similar to ${names}`);
  return row?.read ?? 0;
}

test("a visit of a known device reads no time index, even if the table was never analysed", async () => {
  const site = await createSite(db);
  const address = "8.8.8.8";
  const { token } = await visit(site, { address });
  for (let index = 0; index < 8; index += 1) await visit(site, { address: `8.8.4.${index}` });
  const [byTime, byDevice] = ["visits%workspace_id_recorded_at%", "visits%workspace_id_device_id%"];
  const before = await entriesRead(byTime);
  for (let index = 0; index < 8; index += 1) await visit(site, { address, token });
  expect(await entriesRead(byDevice)).toBeGreaterThan(0);
  expect(await entriesRead(byTime)).toBe(before);
});
