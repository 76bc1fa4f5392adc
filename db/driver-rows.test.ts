import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { devices, jobs } from "./schema";
import { statement } from "./prepared";
import { createTestDatabase } from "@/test/database";

/** Connections enough for one of each kind. */
const { db } = await createTestDatabase({ poolSize: 2 });

const TWO_ROWS_AND_AN_ERROR = sql`select 1 / (3 - n) as result from generate_series(1, 5) n`;
const failHalfway = statement(TWO_ROWS_AND_AN_ERROR);
const readThree = statement<{ n: number }>(sql`select n from generate_series(1, 3) n`);

test("a query gets its own rows, whatever the one before it on the connection had answered when it failed", async () => {
  const three = [{ n: 1 }, { n: 2 }, { n: 3 }];
  for (let round = 0; round < 3; round += 1) {
    await expect(failHalfway(db, {})).rejects.toThrow();
    const [first, ...others] = await readThree(db, {});
    expect([first, ...others]).toEqual(three);
    await expect(db.execute(TWO_ROWS_AND_AN_ERROR)).rejects.toThrow();
    expect([...(await db.execute(sql`select n from generate_series(1, 3) n`))]).toEqual(three);
  }
});

test("rows that Drizzle reads by their columns are whole too, in a transaction as well", async () => {
  await db.insert(jobs).values({ name: "one", dueAt: new Date(0) });
  const names = () => db.select({ name: jobs.name }).from(jobs);
  await expect(db.execute(TWO_ROWS_AND_AN_ERROR)).rejects.toThrow();
  expect(await names()).toEqual([{ name: "one" }]);
  await db.transaction(async (tx) => {
    await expect(tx.transaction((inner) => inner.execute(TWO_ROWS_AND_AN_ERROR))).rejects.toThrow();
    expect(await tx.select({ name: jobs.name }).from(jobs)).toEqual([{ name: "one" }]);
  });
});

test("a query without rows stays without", async () => {
  await expect(db.execute(TWO_ROWS_AND_AN_ERROR)).rejects.toThrow();
  expect(await db.select().from(devices)).toEqual([]);
});
