import { afterAll, expect, test } from "vitest";

import { connect } from "@/db/client";
import { ensurePartitions } from "@/db/partitions";
import { createTestDatabase } from "@/test/database";
import { identifyAccount, readAccountMap } from "@/lib/visits/account-map";
import { createSite, readReport, visit } from "@/test/visits";
import { findReport } from "./queries-report";

/** PostgreSQL makes five custom plans before it considers a generic one. Source: PREPARE, Notes. */
const READS = 12;
const MONTH_MS = 30 * 86_400_000;

const { db, url } = await createTestDatabase();
const alone = connect({ url, poolSize: 1, prepare: true, applicationName: "plans" });
afterAll(() => alone.close());

test("reading by imprint uses one generic plan for all months, on every connection", async () => {
  const site = await createSite(db, { plan: "enterprise" });
  const now = Date.now();
  await ensurePartitions(db, new Date(now - 4 * MONTH_MS), new Date(now + MONTH_MS));
  const { imprint } = await visit(site);
  expect((await readReport(site.apiKey, imprint, { "x-account-ref": "one" })).status).toBe(200);
  const account = await identifyAccount(db, site.workspaceId, "one");
  await alone.pool.unsafe("analyze visits, report_deliveries, account_links, device_accounts");
  // Simulates months with many rows, each of which is read by index at some cost.
  await alone.pool.unsafe("set enable_seqscan = off");
  await alone.pool.unsafe("set random_page_cost = 40");

  for (let read = 0; read < READS; read += 1) {
    expect(await findReport(alone.db, site.workspaceId, imprint, undefined)).toMatchObject({ isAccepted: false });
    expect(await readAccountMap(alone.db, account, imprint)).toBeDefined();
  }
  const plans = await alone.pool<{ custom: string; generic: string }[]>`
    select custom_plans as custom, generic_plans as generic from pg_prepared_statements
    where custom_plans + generic_plans >= ${READS}`;
  expect(plans.map(({ custom, generic }) => [Number(custom), Number(generic)])).toEqual([
    [5, READS - 5],
    [5, READS - 5],
  ]);
});
