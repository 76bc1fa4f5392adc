import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { uuidToId } from "@/lib/contract/ids";
import type { Context } from "@/lib/platform/context";
import { makeDemoData } from "@/lib/operations/demo";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";
import { listReports, type ReportFilter } from "./index";

const { db } = await createTestDatabase({ poolSize: 1 });

const DAY_MS = 86_400_000;
const RULE = "automation.webdriver-flag";

let owner: Context;
let week: ReportFilter;

beforeAll(async () => {
  const workspaceId = await createTestWorkspace(db, "pro");
  await makeDemoData(operatorContext(db), { workspaceId, days: 7 });
  owner = await memberContext(db, workspaceId, "owner");
  week = { workspaceId, from: new Date(Date.now() - 7 * DAY_MS), to: new Date() };
  await db.execute(sql`analyze visits`);
  await db.execute(sql`analyze visit_rules`);
}, 120_000);

/** Index entries of the list's index read so far, as counted by the connection that read them. */
async function listEntriesRead(): Promise<number> {
  await db.execute(sql`select pg_stat_force_next_flush()`);
  const [row] = await db.execute<{ read: number }>(sql`
    select sum(idx_tup_read)::int as read from pg_stat_user_indexes
    where indexrelname similar to 'visits%workspace_id_recorded_at%'`);
  return row?.read ?? 0;
}

/** The rules recorded in the visits themselves, newest first. */
async function visitsWith(rules: readonly string[]): Promise<string[]> {
  const rows = await db.execute<{ event_id: string }>(sql`
    select event_id from visits where rules && ${`{${rules.join()}}`}::text[] order by recorded_at desc, event_id desc`);
  return [...rows].map(({ event_id: eventId }) => uuidToId("imprint", eventId));
}

test("a list by rules has exactly the matching visits, and reads no other visit to find them", async () => {
  const fired = await visitsWith([RULE]);
  expect(fired.length).toBeGreaterThan(2);
  await listReports(owner, week);
  const before = await listEntriesRead();
  expect(before).toBeGreaterThan(0);
  const { items } = await listReports(owner, { ...week, rule: RULE, limit: 100 });
  expect(items.map(({ imprint }) => imprint)).toEqual(fired.slice(0, 100));
  expect(await listEntriesRead()).toBe(before);
});

test("a rule that is only observed does not put a visit into its list", async () => {
  const [observed] = await visitsWith([RULE]);
  await db.execute(sql`
    update visit_rules set is_observed = true where rule_id = ${RULE}
      and ('imp_' || replace(event_id::text, '-', '')) = ${observed}`);
  const { items } = await listReports(owner, { ...week, rule: RULE, limit: 100 });
  expect(items.map(({ imprint }) => imprint)).not.toContain(observed);
});

test("exclusions and a second filter apply together with a rule", async () => {
  const both = { ...week, rule: { isExcluded: false, values: [RULE, "no.such-rule"] }, status: "PASS" as const };
  expect((await listReports(owner, both)).items).toEqual([]);
  const without = await listReports(owner, { ...week, rule: { isExcluded: true, values: [RULE] }, limit: 100 });
  const fired = new Set(await visitsWith([RULE]));
  expect(without.items.length).toBeGreaterThan(50);
  expect(without.items.filter(({ imprint }) => fired.has(imprint))).toEqual([]);
});
