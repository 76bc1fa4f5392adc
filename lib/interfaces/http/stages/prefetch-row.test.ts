import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import type { RowQuery } from "@/db/prepared";
import { createTestDatabase } from "@/test/database";
import { prefetchRow } from "./prefetch-row";

const { db } = await createTestDatabase();

const NUMBER = sql`select ${sql.placeholder("number")}::int as number`;
const query = (number: number): RowQuery => ({ sql: NUMBER, values: [{ number }] });
const knows = () => false;
const noPermit = { take: () => Promise.resolve(undefined) };

test("the row of the permit's round trip is used, and no second one is made", async () => {
  const seen: (RowQuery | undefined)[] = [];
  const permit = {
    take(_db: unknown, beside: RowQuery | undefined) {
      seen.push(beside);
      return Promise.resolve({ number: 7 });
    },
  };
  const planned = query(1);
  const found = await prefetchRow(db, permit, () => ({ prefetch: "plan", query: planned }), knows);
  expect(found).toEqual({ prefetch: "plan", row: { number: 7 } });
  expect(seen).toEqual([planned]);
});

test("a permit that needs no round trip leaves the row to be read on its own", async () => {
  const found = await prefetchRow(db, noPermit, () => ({ prefetch: undefined, query: query(2) }), knows);
  expect(found).toEqual({ prefetch: undefined, row: { number: 2 } });
});

test("without a query nothing is read", async () => {
  const found = await prefetchRow(db, noPermit, () => ({ prefetch: "plan", query: undefined }), knows);
  expect(found).toEqual({ prefetch: "plan", row: undefined });
});

test("a caller that this process had not seen is planned for again, with what was learnt of it", async () => {
  const learnt: unknown[] = [];
  const plan = () =>
    learnt.length === 0 ? { prefetch: "first", query: query(3) } : { prefetch: "second", query: query(4) };
  const found = await prefetchRow(db, noPermit, plan, (row) => learnt.push(row) > 0);
  expect(learnt).toEqual([{ number: 3 }]);
  expect(found).toEqual({ prefetch: "second", row: { number: 4 } });
});

test("a refused permit reads nothing more", async () => {
  const permit = { take: () => Promise.reject(new Error("rate limited")) };
  let plans = 0;
  const plan = () => ({ prefetch: (plans += 1), query: query(5) });
  await expect(prefetchRow(db, permit, plan, () => true)).rejects.toThrow("rate limited");
  expect(plans).toBe(1);
});
