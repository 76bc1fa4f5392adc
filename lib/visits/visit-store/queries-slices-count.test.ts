import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createTestWorkspace } from "@/test/workspaces";
import { KEPT_VALUES, MANY_VALUED_CODES } from "@/lib/visits/slices/domain/dimensions";
import { uuid } from "./queries-parts";
import { countNewerVisits } from "./queries-slices-count";

const { db } = await createTestDatabase();
const VALUES = 5_000;

test("rare values of an hour are found by reading the hour's slices once, whatever the planner's statistics", async () => {
  const workspaceId = await createTestWorkspace(db);
  const [workspace, code] = [uuid(workspaceId), Number(MANY_VALUED_CODES[0])];
  const { kept, read } = await db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into slice_marks (workspace_id, counted_from, counted_until, is_complete)
      select ${workspace}, hour, hour, true from date_trunc('hour', now() - interval '2 hours', 'UTC') hour`);
    await tx.execute(sql`
      insert into visit_slices (workspace_id, code, hours, starts_at, first, second, passed, suspicious, deceptive)
      select ${workspace}, ${code}, 1, date_trunc('hour', now() - interval '2 hours', 'UTC'), 'v' || n, '', n, 0, 0
      from generate_series(1, ${VALUES}) n`);
    // The plan that the planner falls back to if it assumes the table to be small.
    await tx.execute(sql`set local enable_hashjoin = off`);
    await tx.execute(sql`set local enable_mergejoin = off`);
    await countNewerVisits(tx, { workspaceId, limit: 10, lagSeconds: 0 });
    const [row] = await tx.execute<{ read: number }>(sql`
      select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'visit_slices'`);
    const rows = await tx.execute<{ first: string }>(sql`
      select first from visit_slices where workspace_id = ${workspace} and code = ${code} and hours = 1`);
    return { kept: rows.map(({ first }) => first), read: row?.read };
  });
  expect(kept).toHaveLength(KEPT_VALUES.hour);
  expect(kept).toContain(`v${VALUES}`);
  expect(read).toBeLessThan(10 * VALUES);
});
