import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import type { Report } from "@/lib/contract/report";
import { env } from "@/lib/platform/env";
import { insertVisits } from "@/test/history";
import { idToUuid } from "@/lib/contract/ids";
import { createSite, readReport, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { readUnits, readUsage } from "@/lib/metering";
import { listAudit, readWorkspace, setRetention } from "@/lib/tenancy/workspaces";
import { JOBS } from "./index";

const { db } = await createTestDatabase();
const DAY_MS = 86_400_000;

async function runJob(wanted: string, now: Date): Promise<void> {
  const job = JOBS.find(({ name }) => name === wanted);
  if (!job) throw new Error(`there is no job ${wanted}`);
  const signal = new AbortController().signal;
  await job.run({ db, now, signal, progress: "", saveProgress: () => Promise.resolve() });
}

test("data beyond retention is gone; accounts are still known, and usage and units still counted", async () => {
  const site = await createSite(db, { plan: "pro" });
  const workspace = sql`${idToUuid(site.workspaceId)}::uuid`;
  const now = new Date();
  const { visits } = await insertVisits(db, site, [new Date(now.getTime() - 450 * DAY_MS)]);
  const old = visits[0]?.imprint ?? "";
  const account = { "x-account-ref": "42" };
  expect((await readReport(site.apiKey, old)).status).toBe(200);
  await db.execute(sql`update visits set report = '{"schema_version":"1.0"}' where workspace_id = ${workspace}`);
  expect((await readReport(site.apiKey, old, account)).status).toBe(200);
  await db.execute(
    sql`update report_deliveries set delivered_at = now() - interval '11 minutes' where workspace_id = ${workspace}`,
  );
  const recent = await visit(site);

  await runJob("drop-old-visits", now);

  const left = await db.execute<{ links: number; deliveries: number }>(sql`
    select (select count(*)::int from account_links where workspace_id = ${workspace}) as links,
      (select count(*)::int from report_deliveries where workspace_id = ${workspace}) as deliveries`);
  expect(left[0]).toEqual({ links: 0, deliveries: 0 });
  expect((await readReport(site.apiKey, old, account)).status).toBe(404);
  const report = (await (await readReport(site.apiKey, recent.imprint, account)).json()) as Report;
  expect(report.account_map).toEqual({
    account_seen_before: true,
    relationship_seen_before: false,
    accounts_on_device: 1,
    devices_on_account: 2,
    accounts_first_seen_on_device_1h: 1,
  });
  const operator = operatorContext(db);
  expect((await readUnits(operator, site)).used).toBe(2);
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const range = { from: day(now.getTime() - 2 * DAY_MS), to: day(now.getTime() + DAY_MS) };
  expect((await readUsage(operator, { workspaceId: site.workspaceId, ...range })).total.units).toBe(2);
});

test("a workspace with a shorter retention loses older visits with their links and addresses; other workspaces do not", async () => {
  const [short, other] = [await createSite(db, { plan: "pro" }), await createSite(db, { plan: "pro" })];
  const now = new Date();
  const ages = [40, 31, 29, 1].map((days) => new Date(now.getTime() - days * DAY_MS));
  const stored = await insertVisits(db, short, ages);
  await insertVisits(db, other, ages);
  await db.execute(sql`
    insert into device_addresses (workspace_id, device_id, address, country_code, first_seen_at, last_seen_at)
    select w.id::uuid, ${idToUuid(stored.deviceId)}::uuid, '203.0.113.1'::inet + d.days, '', now(),
      now() - make_interval(days => d.days)
    from unnest(${`{${[short, other].map(({ workspaceId }) => idToUuid(workspaceId)).join()}}`}::text[]) as w(id),
      (values (410), (31), (29)) as d(days)`);
  await db.execute(sql`
    insert into account_links (workspace_id, event_id, device_id, account_hash, recorded_at)
    select workspace_id, event_id, device_id, '\\x00', recorded_at from visits
    where device_id = ${idToUuid(stored.deviceId)}::uuid`);
  const operator = operatorContext(db);
  await setRetention(operator, { workspaceId: short.workspaceId, days: 30 });

  for (const name of ["delete-old-visits", "delete-old-addresses"]) await runJob(name, now);

  const left = await db.execute<{ visits: number; links: number; addresses: number }>(sql`
    select (select count(*)::int from visits v where v.workspace_id = w.workspace_id) as visits,
      (select count(*)::int from account_links l where l.workspace_id = w.workspace_id) as links,
      (select count(*)::int from device_addresses a where a.workspace_id = w.workspace_id) as addresses
    from workspaces w order by w.workspace_id = ${idToUuid(short.workspaceId)}::uuid desc, w.created_at desc limit 2`);
  expect(left).toEqual([
    { visits: 2, links: 2, addresses: 1 },
    { visits: 4, links: 0, addresses: 2 },
  ]);
  await setRetention(operator, { workspaceId: short.workspaceId, days: null });
  await runJob("delete-old-visits", new Date(now.getTime() + 60 * DAY_MS));
  const kept = await db.execute(sql`select 1 from visits where workspace_id = ${idToUuid(short.workspaceId)}::uuid`);
  expect(kept).toHaveLength(2);
});

test("a month emptied by a workspace's own retention is dropped, one with other workspaces' visits stays", async () => {
  const [short, other] = [await createSite(db, { plan: "pro" }), await createSite(db, { plan: "pro" })];
  const now = new Date();
  const monthsAgo = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15));
  const nameOf = (at: Date) => `visits_${at.toISOString().slice(0, 7).replace("-", "")}`;
  const [emptied, shared] = [monthsAgo(5), monthsAgo(4)];
  const ages = Array.from({ length: 3_000 }, (_, index) => new Date(emptied.getTime() + index * 1_000));
  const { visits } = await insertVisits(db, short, [
    ...ages,
    ...ages.map((at) => new Date(at.getTime() + 31 * DAY_MS)),
  ]);
  await insertVisits(db, other, [new Date(shared.getTime() + DAY_MS)]);
  await setRetention(operatorContext(db), { workspaceId: short.workspaceId, days: 30 });
  const bytesOf = async (name: string) => {
    const [row] = await db.execute<{ bytes: number | null }>(
      sql`select pg_total_relation_size(to_regclass(${name}))::float8 as bytes`,
    );
    return row?.bytes ?? 0;
  };
  expect(await bytesOf(nameOf(emptied))).toBeGreaterThan(1_000_000);
  for (const name of ["delete-old-visits", "drop-old-visits"]) await runJob(name, now);
  expect(await bytesOf(nameOf(emptied))).toBe(0);
  expect(await bytesOf(nameOf(shared))).toBeGreaterThan(0);
  expect((await readReport(short.apiKey, visits[0]?.imprint ?? "")).status).toBe(404);
});

test("a workspace's retention is at most the instance's, and at least what a day's activity needs", async () => {
  const { workspaceId } = await createSite(db);
  const operator = operatorContext(db);
  const most = env.RETENTION_DAYS;
  for (const days of [most + 1, 1, 0, -1, 30.5, Number.NaN, Number.POSITIVE_INFINITY])
    await expect(setRetention(operator, { workspaceId, days })).rejects.toMatchObject({ code: "invalid_request" });
  expect(await setRetention(operator, { workspaceId, days: 2 })).toMatchObject({ keptDays: 2 });
  expect(await setRetention(operator, { workspaceId, days: most })).toMatchObject({ keptDays: most });
  await db.execute(
    sql`update workspaces set retention_days = 3000 where workspace_id = ${idToUuid(workspaceId)}::uuid`,
  );
  expect(await readWorkspace(operator, { workspaceId })).toMatchObject({ retentionDays: 3000, keptDays: most });
  expect(await setRetention(operator, { workspaceId, days: null })).toMatchObject({ keptDays: most });
  const { entries } = await listAudit(operator, { workspaceId, filter: { action: "workspace.set_retention" } });
  expect(entries.map(({ detail }) => detail)).toEqual([
    { from: 3000, to: "as the instance" },
    { from: 2, to: most },
    { from: "as the instance", to: 2 },
  ]);
});

test("a workspace whose visits cannot be deleted does not block others, and the job reports why", async () => {
  const now = new Date();
  const old = [new Date(now.getTime() - 40 * DAY_MS)];
  const [broken, sound] = [await createSite(db), await createSite(db)].toSorted((a, b) =>
    a.workspaceId.localeCompare(b.workspaceId),
  );
  if (!broken || !sound) throw new Error("two workspaces were made");
  for (const site of [broken, sound]) {
    await insertVisits(db, site, old);
    await setRetention(operatorContext(db), { workspaceId: site.workspaceId, days: 30 });
  }
  await db.execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'this row stays'; end $$`);
  await db.execute(sql`
    create trigger refuse before delete on visits for each row
    when (old.workspace_id = ${sql.raw(`'${idToUuid(broken.workspaceId)}'`)}) execute function refuse()`);
  onTestFinished(async () => {
    await db.execute(sql`drop function refuse cascade`);
  });
  await expect(runJob("delete-old-visits", now)).rejects.toThrow(/Failed query|this row stays/);
  const left = await db.execute<{ id: string }>(sql`
    select replace(workspace_id::text, '-', '') as id from visits where workspace_id = any(${`{${[broken, sound]
      .map(({ workspaceId }) => idToUuid(workspaceId))
      .join()}}`}::uuid[])`);
  expect(left).toEqual([{ id: idToUuid(broken.workspaceId) }]);
});
