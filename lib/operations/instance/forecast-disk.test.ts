import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { readTableSizes } from "@/db/table-sizes";
import { createTestDatabase } from "@/test/database";
import { createSite, visit } from "@/test/visits";
import { forecastDisk, measureGrowth } from "./forecast-disk";

const { db, pool } = await createTestDatabase();
const RETENTION = { retentionDays: 400, signalsRetentionDays: 30 };
const DAY_MS = 86_400_000;

test("a database without visits gives no forecast; one with visits gives their rate since the first one", async () => {
  const now = new Date();
  expect(await forecastDisk(db, now, RETENTION)).toMatchObject({
    status: "ok",
    text: "Visits are kept 400 days, raw signals 30 days. There were no visits in the last days to estimate from.",
  });
  const site = await createSite(db);
  const { token } = await visit(site);
  for (let count = 1; count < 4; count += 1) await visit(site, { token });
  await visit(site);
  expect(await measureGrowth(db, new Date(now.getTime() + 1_000), RETENTION)).toMatchObject({
    visitsPerDay: 5,
    measuredDays: 1,
    newShare: 2 / 5,
    workspaces: 1,
  });
  const twoDaysLater = await measureGrowth(db, new Date(now.getTime() + 2 * DAY_MS), RETENTION);
  expect(twoDaysLater?.visitsPerDay).toBeCloseTo(2.5, 2);
  expect(twoDaysLater?.ageDays).toBeCloseTo(2, 2);
  const { text } = await forecastDisk(db, new Date(), RETENTION);
  expect(text).toMatch(
    /^Visits are kept 400 days, raw signals 30 days: up to [\d.]+ GB at 5 visits a day, as in the last day, with 1\.6 kB of each visit/,
  );
});

test("with signals kept for one day, the rate is that of the months, also in the first minutes of a UTC day", async () => {
  const retention = { ...RETENTION, signalsRetentionDays: 1 };
  const midnight = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  for (const minutes of [0, 5, 20 * 60]) {
    const at = new Date(midnight + DAY_MS + minutes * 60_000);
    const growth = await measureGrowth(db, at, retention);
    expect(growth?.visitsPerDay).toBeCloseTo(5 / (growth?.measuredDays ?? 0), 6);
    expect(growth?.measuredDays).toBeGreaterThan(1);
  }
});

test("rows are counted if a table was never analysed, and estimated by its current size if it has grown since", async () => {
  const rowsOf = async () => (await readTableSizes(db)).find(({ table }) => table === "refused_origins")?.rows ?? 0;
  const fill = (from: number, to: number) =>
    db.execute(sql`
      insert into refused_origins (workspace_id, web_app_id, hour, origin, count, last_seen_at)
      select gen_random_uuid(), gen_random_uuid(), now(), 'https://' || n || '.example', 1, now()
      from generate_series(${from}::int, ${to}::int) n`);
  await fill(1, 2_000);
  expect(await rowsOf()).toBe(2_000);
  await pool`analyze refused_origins`;
  await fill(2_001, 20_000);
  expect((await rowsOf()) / 20_000).toBeCloseTo(1, 1);
});
