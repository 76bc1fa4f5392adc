import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { REASONS } from "@/lib/contract/report";
import { idToUuid } from "@/lib/contract/ids";
import { readUnits } from "@/lib/metering";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";
import { readLinkControl, readShadow } from "@/lib/visits/devices";
import { currentRules, listRules, replayRules } from "@/lib/visits/rules";
import { makeDemoData } from "./index";
import { BROWSERS, ordinaryVisit } from "./browsers";
import { composeVisits } from "./compose-visits";
import { createChance } from "./domain/chance";
import { planVisits } from "./plan-visits";
import { assessRisk } from "@/lib/visits/risk";

const { db } = await createTestDatabase();

test("unmodified browsers pass every rule", () => {
  for (const browser of BROWSERS) {
    const { evidence } = assessRisk(ordinaryVisit(browser, "Europe/Berlin"));
    expect(evidence, browser.name).toEqual([]);
  }
});

test("the demo data have every reason, and most visits pass", () => {
  const chance = createChance(7);
  const { visits } = composeVisits(planVisits(chance, new Date("2026-11-21T12:00:00Z"), 30), chance);
  const reasons = new Set(visits.flatMap(({ report }) => report.value.risk.reasons));
  expect([...reasons].sort()).toEqual([...REASONS].sort());
  const passed = visits.filter(({ report }) => report.value.risk.status === "PASS").length / visits.length;
  expect(passed).toBeGreaterThan(0.75);
  expect(passed).toBeLessThan(0.97);
});

test("the same seed gives the same demo data", () => {
  const story = (seed: number) => planVisits(createChance(seed), new Date("2026-11-21T12:00:00Z"), 5);
  expect(story(3)).toEqual(story(3));
  expect(story(3)).not.toEqual(story(4));
});

test.each(["00:00:01", "00:20", "12:00", "23:59:59"])(
  "one day of demo data that ends at %s UTC has as many visits as any other, all in its 24 hours",
  (time) => {
    const until = new Date(`2026-11-21T${time.padEnd(8, ":00")}Z`);
    const planned = planVisits(createChance(1), until, 1).map(({ at }) => until.getTime() - at.getTime());
    expect(planned.length).toBeGreaterThan(60);
    expect(Math.max(...planned)).toBeLessThanOrEqual(86_400_000);
    expect(Math.min(...planned)).toBeGreaterThan(0);
  },
);

test("at any minute of a day, the demo data's last attack has 12 sign-ups within the last 26 hours, in one hour", () => {
  for (let minute = 0; minute < 24 * 60; minute += 7) {
    const until = new Date(Date.UTC(2026, 10, 21, 0, minute));
    const attacks = planVisits(createChance(minute), until, 20).filter(({ accountRef }) =>
      accountRef?.startsWith("farm-100-"),
    );
    const hours = new Set(attacks.map(({ at }) => Math.floor(at.getTime() / 3_600_000)));
    expect([attacks.length, hours.size], until.toISOString()).toEqual([12, 1]);
    expect(until.getTime() - Math.min(...attacks.map(({ at }) => at.getTime()))).toBeLessThan(26 * 3_600_000);
  }
});

test("a workspace is filled with visits that are consistent with its devices, accounts, ledger and units", async () => {
  const workspaceId = await createTestWorkspace(db, "pro");
  const context = operatorContext(db);
  const made = await makeDemoData(context, { workspaceId, days: 12 });
  const workspace = sql`${idToUuid(workspaceId)}::uuid`;
  const [stored] = await db.execute<Record<string, number>>(sql`
    select (select count(*)::int from visits where workspace_id = ${workspace}) as visits,
      (select count(*)::int from devices where workspace_id = ${workspace}) as devices,
      (select sum(access_count)::int from devices where workspace_id = ${workspace}) as positions,
      (select count(*)::int from report_deliveries where workspace_id = ${workspace}
        and period = to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM')) as delivered,
      (select count(*)::int from report_deliveries where workspace_id = ${workspace}) as ledger,
      (select sum(units)::int from usage_days where workspace_id = ${workspace}) as units,
      (select count(*)::int from visits v where workspace_id = ${workspace} and exists (
        select 1 from visits w where w.workspace_id = v.workspace_id and w.device_id = v.device_id
          and (w.access_count < v.access_count) <> (w.recorded_at < v.recorded_at))) as disordered`);
  expect(stored).toMatchObject({ visits: made.visits, devices: made.devices, positions: made.visits, disordered: 0 });
  expect(stored?.["units"]).toBe(stored?.["ledger"]);
  expect((await readUnits(context, { workspaceId })).used).toBe(stored?.["delivered"]);
});

test("recognition data match the visits: every visit with a token was shadow-matched, no link is disproved, some networks link", async () => {
  const workspaceId = await createTestWorkspace(db, "pro");
  const context = operatorContext(db);
  await makeDemoData(context, { workspaceId });
  const workspace = sql`${idToUuid(workspaceId)}::uuid`;
  const [stored] = await db.execute<{ by_token: number; unknown: number }>(sql`
    select count(*) filter (where recognition = 'token' and recorded_at >= current_date - 29)::int as by_token,
      (select count(*)::int from network_tokens n where workspace_id = ${workspace} and not exists (
        select 1 from device_tokens t where t.workspace_id = n.workspace_id and t.token_id = n.token_id)) as unknown
    from visits where workspace_id = ${workspace}`);
  const { agreed, missed, wrong } = await readShadow(context, { workspaceId });
  expect(wrong).toBe(0);
  expect(agreed + missed).toBe(stored?.by_token);
  expect(Math.min(agreed, missed)).toBeGreaterThan(0);
  expect(stored?.unknown).toBe(0);
  const control = await readLinkControl(context, { workspaceId });
  expect(control).toMatchObject({ wrong: 0 });
  expect(control.places.some(({ isOpen }) => isOpen)).toBe(true);
});

test("a workspace with visits is not filled unless forced", async () => {
  const workspaceId = await createTestWorkspace(db, "pro");
  const context = operatorContext(db);
  const first = await makeDemoData(context, { workspaceId, days: 2 });
  expect(first.visits).toBeGreaterThan(0);
  await expect(makeDemoData(context, { workspaceId, days: 2 })).rejects.toMatchObject({ code: "conflict" });
  await makeDemoData(context, { workspaceId, days: 2, seed: 2, isForced: true });
});

test("only operators create demo data", async () => {
  const workspaceId = await createTestWorkspace(db, "pro");
  const owner = await memberContext(db, workspaceId, "owner");
  await expect(makeDemoData(owner, { workspaceId, days: 1 })).rejects.toMatchObject({ code: "forbidden" });
});

test("rules are counted, measured by labels some of which are wrong, and give the same result when replayed", async () => {
  const workspaceId = await createTestWorkspace(db);
  const operator = operatorContext(db);
  await makeDemoData(operator, { workspaceId, days: 20 });
  const now = new Date();
  const range = { workspaceId, from: new Date(now.getTime() - 30 * 86_400_000), to: now };
  const { rules, labelled } = await listRules(operator, range);
  const [first] = rules;
  expect(first?.visits).toBeGreaterThan(10);
  const fired = rules.filter(({ visits }) => visits > 0);
  expect(fired.length).toBeGreaterThan(3);
  expect(fired.filter(({ precision }) => precision === undefined).map(({ id }) => id)).toEqual([]);
  expect(Math.min(labelled.fraud, labelled.legitimate)).toBeGreaterThan(0);
  const replay = await replayRules(operator, { ...range, candidate: currentRules });
  expect(replay.sameVersion).toEqual({ visits: replay.visits, different: 0, imprints: [] });
  expect(replay.visits).toBeGreaterThan(100);
});
