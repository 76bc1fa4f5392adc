import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { deleteByPages } from "./batches";
import { countRoundTrips } from "./client";
import { refusedOrigins } from "./schema";

const { db, pool } = await createTestDatabase();
const WORKSPACE = "00000000-0000-7000-8000-000000000001";
const isOver = sql`last_seen_at < now() - interval '24 hours'`;

/** Rows of which every hundredth is not due. */
const fill = (from: number, to: number) => pool`
  insert into refused_origins (workspace_id, web_app_id, hour, origin, count, last_seen_at)
  select ${WORKSPACE}::uuid, ${WORKSPACE}::uuid, now(), 'https://' || n || '.example', 1,
    now() - case when n % 100 = 0 then interval '1 hour' else interval '2 days' end
  from generate_series(${from}::int, ${to}::int) n`;
const left = async () => (await pool`select 1 from refused_origins`).length;

test("what is due is deleted in statements of a bounded part of the table, however much it is", async () => {
  await fill(1, 50_000);
  const { result, roundTrips } = await countRoundTrips(() => deleteByPages(db, refusedOrigins, isOver));
  expect([result, await left()]).toEqual([49_500, 500]);
  const [size] = await pool<{ pages: number }[]>`select (pg_relation_size('refused_origins') / 8192)::int as pages`;
  expect(roundTrips).toBe(1 + Math.ceil((size?.pages ?? 0) / 200));
  expect(roundTrips).toBeGreaterThan(3);
});

test("nothing is deleted once the job is to stop, and a row that is used again meanwhile stays", async () => {
  await fill(60_001, 60_099);
  expect(await deleteByPages(db, refusedOrigins, isOver, AbortSignal.abort())).toBe(0);
  const before = await left();
  await pool.begin(async (tx) => {
    await tx`update refused_origins set last_seen_at = now() where origin = 'https://60001.example'`;
    const deleting = deleteByPages(db, refusedOrigins, isOver);
    await expect
      .poll(() => pool`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'refused_origins'`)
      .not.toHaveLength(0);
    void deleting.catch(() => undefined);
    return { deleting };
  });
  await expect.poll(left).toBe(before - 98);
});
