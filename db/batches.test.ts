import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { deleteByKey } from "./batches";
import { countRoundTrips } from "./client";
import { rateBuckets, refusedOrigins } from "./schema";

const { db, pool } = await createTestDatabase();
const WORKSPACE = "00000000-0000-7000-8000-000000000001";
const OTHER = "00000000-0000-7000-8000-000000000002";
const isOver = sql`last_seen_at < now() - interval '24 hours'`;

/** Rows of which every hundredth is not due. */
const fill = (workspace: string, from: number, to: number) => pool`
  insert into refused_origins (workspace_id, web_app_id, hour, origin, count, last_seen_at)
  select ${workspace}::uuid, ${workspace}::uuid, now(), 'https://' || n || '.example', 1,
    now() - case when n % 100 = 0 then interval '1 hour' else interval '2 days' end
  from generate_series(${from}::int, ${to}::int) n`;
const left = async () => (await pool`select 1 from refused_origins`).length;

test("expired rows are deleted in statements bounded in rows and limited to one workspace, however many there are", async () => {
  await fill(WORKSPACE, 1, 12_000);
  await fill(OTHER, 1, 1_000);
  const { result, statements } = await countRoundTrips(() => deleteByKey(db, refusedOrigins, isOver));
  expect([result, await left()]).toEqual([12_870, 130]);
  const deleting = statements.filter((each) => each.includes("delete"));
  expect(deleting).toHaveLength(3 + 1);
  expect(deleting.every((each) => each.includes("where workspace_id = $"))).toBe(true);
});

test("statistics older than a workspace's rows do not make the statements slow: none exceeds its deadline", async () => {
  const late = "00000000-0000-7000-8000-000000000003";
  await pool`analyze refused_origins`;
  await fill(late, 1, 20_000);
  const before = await left();
  expect(await deleteByKey(db, refusedOrigins, isOver)).toBe(19_800);
  expect(await left()).toBe(before - 19_800);
  await pool`delete from refused_origins where workspace_id = ${late}`;
});

test("tables without a workspace are processed in key order", async () => {
  await pool`insert into rate_buckets select 'b' || n, n from generate_series(1, 11000) n`;
  expect(await deleteByKey(db, rateBuckets, sql`arrival_micros > 100`)).toBe(10_900);
  expect(await pool`select 1 from rate_buckets`).toHaveLength(100);
});

test("nothing is deleted after the job was told to stop, and a row that is used again meanwhile is kept", async () => {
  await fill(WORKSPACE, 60_001, 60_099);
  expect(await deleteByKey(db, refusedOrigins, isOver, AbortSignal.abort())).toBe(0);
  const before = await left();
  await pool.begin(async (tx) => {
    await tx`update refused_origins set last_seen_at = now() where origin = 'https://60001.example'`;
    const deleting = deleteByKey(db, refusedOrigins, isOver);
    await expect
      .poll(() => pool`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'refused_origins'`)
      .not.toHaveLength(0);
    void deleting.catch(() => undefined);
    return { deleting };
  });
  await expect.poll(left).toBe(before - 98);
});
