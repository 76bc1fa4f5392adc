import { type SQL, sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { countReads } from "@/test/count-reads";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace } from "@/test/workspaces";
import { KEPT_VALUES, MANY_VALUED_CODES } from "@/lib/visits/slices/domain/dimensions";
import { uuid } from "./queries-parts";
import { closeSlices, countNewerVisits } from "./queries-slices-count";
import { lockSlices, takenFromSlices } from "./queries-slices-delete";

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
    const counting = { workspaceId, limit: 10, lagSeconds: 0 };
    const { reads } = await countReads(tx, "^visit_slices$", () => countNewerVisits(tx, counting));
    const rows = await tx.execute<{ first: string }>(sql`
      select first from visit_slices where workspace_id = ${workspace} and code = ${code} and hours = 1`);
    return { kept: rows.map(({ first }) => first), read: reads };
  });
  expect(kept).toHaveLength(KEPT_VALUES.hour);
  expect(kept).toContain(`v${VALUES}`);
  expect(read).toBeLessThan(10 * VALUES);
});

/** Slices of a workspace that were added after the planner last saw the table, when it had other workspaces' rows. */
async function addUnseenSlices(slices: number): Promise<string> {
  const [known, workspaceId] = await Promise.all([createTestWorkspace(db), createTestWorkspace(db)]);
  const add = (workspace: SQL, count: number) =>
    db.execute(sql`
    insert into visit_slices (workspace_id, code, hours, starts_at, first, second, passed, suspicious, deceptive)
    select ${workspace}, 0, 24, date_trunc('day', now(), 'UTC') - make_interval(days => n), '', '', 2, 0, 0
    from generate_series(1, ${count}) n`);
  await add(uuid(known), 5_000);
  await db.execute(sql`analyze visit_slices`);
  await add(uuid(workspaceId), slices);
  await db.execute(sql`
    insert into slice_marks (workspace_id, counted_from, counted_until, is_complete)
    select ${uuid(workspaceId)}, hour - interval '60000 days', hour, true from date_trunc('hour', now(), 'UTC') hour`);
  return workspaceId;
}

test("moving some slices reads no others if the planner's statistics are older than they are", async () => {
  const workspaceId = await addUnseenSlices(20_000);
  const closing = { workspaceId, limit: 500, lagSeconds: 0 };
  const { result, reads } = await db.transaction((tx) =>
    countReads(tx, "^visit_slices$", () => closeSlices(tx, closing)),
  );
  expect(result).toBe(true);
  expect(reads).toBeLessThan(5_000);
  const rows = await db.execute<{ open: number; closed: number }>(sql`
    select (select count(*)::int from visit_slices where workspace_id = ${uuid(workspaceId)}) as open,
      (select count(*)::int from closed_slices where workspace_id = ${uuid(workspaceId)}) as closed`);
  expect([...rows]).toEqual([{ open: 19_500, closed: 500 }]);
});

test("subtracting visits reads only their slices if the planner's statistics are older than these", async () => {
  const workspaceId = await addUnseenSlices(20_000);
  const workspace = uuid(workspaceId);
  const gone = sql`
    select ${workspace} as workspace_id, gen_random_uuid() as event_id, 'PASS' as status, '{}'::text[] as rules,
      '{}'::text[] as reasons, null::text as surface, null::uuid as web_app_id, null::text as country_code,
      null::bigint as asn, null::text as connection_type, null::text as browser_name, null::text as os_name,
      null::uuid as device_id, null::inet as address,
      date_trunc('day', now(), 'UTC') - make_interval(days => n) as recorded_at
    from generate_series(1, 10) n`;
  const { reads } = await db.transaction(async (tx) => {
    await lockSlices(tx, workspaceId);
    return await countReads(tx, "^visit_slices$", () =>
      tx.execute(sql`
        with gone as (${gone}), unlinked as (select * from account_links where false),
          ${takenFromSlices(workspace, sql`gone`, sql`unlinked`)} select 1`),
    );
  });
  expect(reads).toBeLessThan(5_000);
  const rows = await db.execute<{ passed: number; slices: number }>(sql`
    select passed, count(*)::int as slices from visit_slices where workspace_id = ${workspace} group by 1 order by 1`);
  expect([...rows]).toEqual([
    { passed: 1, slices: 10 },
    { passed: 2, slices: 19_990 },
  ]);
});
