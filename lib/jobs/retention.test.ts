import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/db/testing";
import type { Report } from "@/lib/contract/report";
import { insertVisits } from "@/lib/history/testing";
import { idToUuid } from "@/lib/ids";
import { createSite, operatorContext, readReport, visit } from "@/lib/submissions/testing";
import { readUnits, readUsage } from "@/lib/usage";
import { JOBS } from "./index";

const { db } = await createTestDatabase();
const DAY_MS = 86_400_000;

test("what retention drops is gone; accounts stay known, usage and units stay counted", async () => {
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

  const job = JOBS.find(({ name }) => name === "drop-old-visits");
  const signal = new AbortController().signal;
  await job?.run({ db, now, signal, progress: "", saveProgress: () => Promise.resolve() });

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
