import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";

import { countRoundTrips } from "@/db/client";
import { createTestDatabase } from "@/test/database";
import { createKey } from "@/lib/tenancy/api-keys";
import { idToUuid, newImprint } from "@/lib/contract/ids";
import { foldAllUsage } from "@/lib/operations/jobs/fold-all-usage";
import { call, createSite, readReport, type Site, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { setPlan } from "@/lib/tenancy/workspaces";
import { countCall, flushCalls, foldUsage, readUsage } from "./index";
import { insertBatch } from "./queries";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

const usageOf = async (site: Site, input: Partial<Parameters<typeof readUsage>[1]> = {}) => {
  await flushCalls();
  return readUsage(operator, { workspaceId: site.workspaceId, ...input });
};
const today = async () =>
  (await db.execute<{ day: string }>(sql`select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day`))[0]?.day ?? "";
const history = (site: Site, imprint: string) =>
  call(`/api/v1/fingerprint/imprint/${imprint}/history`, { headers: { "x-api-key": site.apiKey } });

test("every kind of call is counted by key, Web App, operation, day and outcome", async () => {
  const site = await createSite(db, { plan: "pro" });
  const other = await createKey(operator, { workspaceId: site.workspaceId, name: "second" });
  const { imprint } = await visit(site);
  await visit({ ...site, origin: "https://evil.example" }).catch(() => undefined);
  for (let index = 0; index < 3; index += 1) await readReport(site.apiKey, imprint);
  await readReport(other.apiKey, imprint);
  await readReport(site.apiKey, newImprint(Date.now()));
  await readReport(site.apiKey, "imp_short");
  await history(site, imprint);
  await setPlan(operator, { workspaceId: site.workspaceId, plan: "lite" });
  await history(site, imprint);
  await db.execute(sql`update unit_slices set plan_units = 20000, units_limit = 1250, units_used = 1250
    where workspace_id = ${idToUuid(site.workspaceId)}::uuid`);
  const second = await visit(site);
  await readReport(site.apiKey, second.imprint);
  const usage = await usageOf(site);
  expect(usage.total).toEqual({
    units: 1,
    calls: 15,
    outcomes: { delivered: 1, reread: 3, served: 5, missing: 2, quota: 1, origin: 2, plan: 1 },
  });
  expect(usage.operations).toContainEqual({
    operation: "readReport",
    units: 1,
    calls: 7,
    outcomes: { delivered: 1, reread: 3, missing: 2, quota: 1 },
  });
  expect(usage.operations).toContainEqual({
    operation: "readHistory",
    units: 0,
    calls: 2,
    outcomes: { served: 1, plan: 1 },
  });
  expect(usage.keys).toContainEqual({ keyId: other.keyId, units: 0, calls: 1, outcomes: { reread: 1 } });
  expect(usage.keys.find(({ keyId }) => keyId === site.keyId)).toMatchObject({ units: 1, calls: 8 });
  expect(usage.webApps.find(({ webAppId }) => webAppId === site.webAppId)?.outcomes).toMatchObject({
    delivered: 1,
    reread: 3,
    quota: 1,
    origin: 2,
  });
  expect(usage.month).toMatchObject({ used: 20_000, limit: 20_000, remaining: 0 });
  const ofSecondKey = await usageOf(site, { keyId: other.keyId });
  expect(ofSecondKey.total).toEqual({ units: 0, calls: 1, outcomes: { reread: 1 } });
});

test("a refusal by the rate limit is counted for the refused key", async () => {
  const site = await createSite(db, { plan: "lite" });
  const imprint = newImprint(Date.now());
  const statuses: number[] = [];
  // Repeats until refused, since on a slow machine permits are earned meanwhile.
  while (!statuses.includes(429)) {
    const answers = await Promise.all(Array.from({ length: 40 }, () => readReport(site.apiKey, imprint)));
    statuses.push(...answers.map(({ status }) => status));
  }
  const calls = statuses.length;
  const refused = statuses.filter((status) => status === 429).length;
  expect((await usageOf(site)).keys).toEqual([
    { keyId: site.keyId, units: 0, calls, outcomes: { missing: calls - refused, rate: refused } },
  ]);
});

test("aggregation never changes the reported usage, at any stage and however often it runs", async () => {
  const site = await createSite(db, { plan: "pro" });
  const days = ["2026-01-30", "2026-01-31", "2026-02-01"];
  const input = { from: "2026-01-01", to: "2026-02-28" };
  for (const [index, day] of days.entries()) {
    await readReport(site.apiKey, (await visit(site)).imprint);
    await db.execute(sql`update report_deliveries set delivered_at = ${`${day}T12:00:00Z`}::timestamptz
      where workspace_id = ${idToUuid(site.workspaceId)}::uuid and delivered_at > '2026-03-01'`);
    for (let count = 0; count <= index; count += 1)
      countCall({
        workspaceId: site.workspaceId,
        keyId: site.keyId,
        webAppId: undefined,
        operation: "readHistory",
        outcome: "served",
      });
    await flushCalls();
    await db.execute(sql`update usage_batches set day = ${day}::date
      where workspace_id = ${idToUuid(site.workspaceId)}::uuid and day > '2026-03-01'`);
  }
  const told = async () => ({ ...(await usageOf(site, input)), month: undefined });
  const before = await told();
  expect(before.total.units).toBe(3);
  expect(before.days.filter(({ units }) => units > 0).map(({ date }) => date)).toEqual(days);
  expect(before.days).toHaveLength(59);
  const folding = Array.from({ length: 4 }, () => foldUsage(db, site.workspaceId, { afterMinutes: 0 }));
  await Promise.all(folding);
  const left = await db.execute(
    sql`select 1 from usage_batches where workspace_id = ${idToUuid(site.workspaceId)}::uuid`,
  );
  expect(left).toHaveLength(0);
  expect(await told()).toEqual(before);
  await readReport(site.apiKey, (await visit(site)).imprint);
  await foldUsage(db, site.workspaceId, { afterMinutes: 0 });
  await foldUsage(db, site.workspaceId, { afterMinutes: 0 });
  expect(await told()).toEqual(before);
  expect((await usageOf(site)).total.units).toBe(1);
});

test("the job folds counts older than ten minutes and leaves the rest", async () => {
  const site = await createSite(db, { plan: "pro" });
  await readReport(site.apiKey, (await visit(site)).imprint);
  const before = await usageOf(site);
  const run = {
    db,
    now: new Date(),
    signal: new AbortController().signal,
    progress: "",
    saveProgress: () => Promise.resolve(),
  };
  await foldAllUsage(run);
  expect(await usageOf(site)).toEqual(before);
  const workspace = sql`${idToUuid(site.workspaceId)}::uuid`;
  const batches = () => db.execute(sql`select 1 from usage_batches where workspace_id = ${workspace}`);
  expect((await batches()).length).toBeGreaterThan(0);
  await db.execute(
    sql`update usage_batches set written_at = now() - interval '11 minutes' where workspace_id = ${workspace}`,
  );
  await foldAllUsage(run);
  expect(await batches()).toHaveLength(0);
  expect(await usageOf(site)).toEqual(before);
});

test("after the clock was set back, units delivered before and after are each counted once", async () => {
  const site = await createSite(db, { plan: "pro" });
  const workspace = sql`${idToUuid(site.workspaceId)}::uuid`;
  const deliver = (count: number, at: string) =>
    db.execute(sql`
    insert into report_deliveries (workspace_id, event_id, web_app_id, key_id, period, delivered_at)
    select ${workspace}, (left(${idToUuid(newImprint(Date.now()))}, 20) || lpad(to_hex(${at.length} * 1000 + n), 12, '0'))::uuid,
      ${idToUuid(site.webAppId)}::uuid, ${idToUuid(site.keyId)}::uuid, '2031-01', ${sql.raw(at)}
    from generate_series(1, ${count}::int) n`);
  await deliver(3, "now() - interval '2 days'");
  await deliver(5, "now() - interval '1 minute'");
  await foldUsage(db, site.workspaceId, { afterMinutes: 0 });
  await db.execute(
    sql`update usage_marks set folded_until = now() + interval '1 day' where workspace_id = ${workspace}`,
  );
  await deliver(7, "now() - interval '30 seconds'");
  const units = async () => {
    const [row] = await db.execute<{ units: number }>(
      sql`select sum(units)::int as units from usage_days where workspace_id = ${workspace}`,
    );
    return row?.units;
  };
  for (let turn = 0; turn < 2; turn += 1) {
    await foldUsage(db, site.workspaceId, { afterMinutes: 0 });
    expect(await units()).toBe(15);
  }
});

test("a backlog of days is folded hour by hour, and adds up to the same totals", async () => {
  const site = await createSite(db, { plan: "pro" });
  const workspace = sql`${idToUuid(site.workspaceId)}::uuid`;
  await db.execute(sql`
    insert into report_deliveries (workspace_id, event_id, web_app_id, key_id, period, delivered_at)
    select ${workspace}, (left(${idToUuid(newImprint(Date.now()))}, 20) || lpad(to_hex(n), 12, '0'))::uuid,
      ${idToUuid(site.webAppId)}::uuid, ${idToUuid(site.keyId)}::uuid, '2031-01', now() - n * interval '20 minutes'
    from generate_series(1, 150) n`);
  await db.execute(sql`
    insert into usage_batches (workspace_id, batch_id, line, day, operation, outcome, calls, written_at)
    select ${workspace}, gen_random_uuid(), 0, current_date, 'readReport', 'reread', 2, now() - n * interval '20 minutes'
    from generate_series(1, 150) n`);
  const { roundTrips } = await countRoundTrips(() => foldUsage(db, site.workspaceId));
  expect(roundTrips).toBeGreaterThan(30 * 5);
  const [row] = await db.execute(sql`
    select sum(units)::int as units, sum(calls)::int as calls,
      (select count(*)::int from usage_batches where workspace_id = ${workspace}) as left
    from usage_days where workspace_id = ${workspace}`);
  expect(row).toEqual({ units: 150, calls: 300, left: 0 });
});

test("a batch that is written again after a lost response counts once", async () => {
  const site = await createSite(db);
  const line = { workspaceId: site.workspaceId, keyId: undefined, webAppId: site.webAppId, calls: 5 };
  const batch = {
    id: crypto.randomUUID(),
    lines: [{ ...line, operation: "submitImprint" as const, outcome: "served" as const }],
  };
  await insertBatch(db, batch);
  await insertBatch(db, batch);
  expect((await usageOf(site)).total).toEqual({ units: 0, calls: 5, outcomes: { served: 5 } });
});

test("counted calls are written in the background", async () => {
  const site = await createSite(db);
  await visit(site);
  await vi.waitFor(
    async () => {
      expect((await readUsage(operator, { workspaceId: site.workspaceId })).total.calls).toBe(2);
    },
    { timeout: 15_000, interval: 100 },
  );
});

test("the range defaults to the current month up to today; other ranges are UTC days, at most 400", async () => {
  const site = await createSite(db);
  const day = await today();
  const { range, month, days } = await usageOf(site);
  if ((await today()) === day) {
    expect(range).toEqual({ from: `${day.slice(0, 7)}-01`, to: day, days: Number(day.slice(8)) });
    expect(month.period).toBe(day.slice(0, 7));
  }
  expect(days.at(-1)?.date).toBe(range.to);
  for (const [input, message] of [
    [{ from: "2026-01-01" }, "from and to are given together"],
    [{ from: "2026-02-30", to: "2026-03-01" }, "from and to are dates, YYYY-MM-DD"],
    [{ from: "0000-01-01", to: "0000-01-02" }, "from and to are dates, YYYY-MM-DD"],
    [{ from: "2026-1-1", to: "2026-03-01" }, "from and to are dates, YYYY-MM-DD"],
    [{ from: "2026-03-02", to: "2026-03-01" }, "from is after to"],
    [{ from: "2025-01-01", to: "2026-03-01" }, "from and to: at most 400 days"],
  ] as const) {
    await expect(usageOf(site, input)).rejects.toMatchObject({ code: "invalid_request", message });
  }
});

test("usage is never counted for another workspace, and daily counts outlive the visits they came from", async () => {
  const [site, other] = [await createSite(db), await createSite(db)];
  await readReport(site.apiKey, (await visit(site)).imprint);
  expect((await usageOf(other)).total).toEqual({ units: 0, calls: 0, outcomes: {} });
  await foldUsage(db, site.workspaceId, { afterMinutes: 0 });
  await db.execute(sql`delete from report_deliveries where workspace_id = ${idToUuid(site.workspaceId)}::uuid`);
  expect((await usageOf(site)).total.units).toBe(1);
});
