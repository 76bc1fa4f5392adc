import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { devices, jobs } from "./schema";
import { statement } from "./prepared";
import { createTestDatabase } from "@/test/database";

/** Enough connections for one of each kind. */
const { db } = await createTestDatabase({ poolSize: 2 });

const TWO_ROWS_AND_AN_ERROR = sql`select 1 / (3 - n) as result from generate_series(1, 5) n`;
const failHalfway = statement(TWO_ROWS_AND_AN_ERROR);
const readThree = statement<{ n: number }>(sql`select n from generate_series(1, 3) n`);

test("a query gets only its own rows, whatever the previous query on the connection had returned before it failed", async () => {
  const three = [{ n: 1 }, { n: 2 }, { n: 3 }];
  for (let round = 0; round < 3; round += 1) {
    await expect(failHalfway(db, {})).rejects.toThrow();
    const [first, ...others] = await readThree(db, {});
    expect([first, ...others]).toEqual(three);
    await expect(db.execute(TWO_ROWS_AND_AN_ERROR)).rejects.toThrow();
    expect([...(await db.execute(sql`select n from generate_series(1, 3) n`))]).toEqual(three);
  }
});

test("rows that Drizzle maps by column are complete, also in a transaction", async () => {
  await db.insert(jobs).values({ name: "one", dueAt: new Date(0) });
  const names = () => db.select({ name: jobs.name }).from(jobs);
  await expect(db.execute(TWO_ROWS_AND_AN_ERROR)).rejects.toThrow();
  expect(await names()).toEqual([{ name: "one" }]);
  await db.transaction(async (tx) => {
    await expect(tx.transaction((inner) => inner.execute(TWO_ROWS_AND_AN_ERROR))).rejects.toThrow();
    expect(await tx.select({ name: jobs.name }).from(jobs)).toEqual([{ name: "one" }]);
  });
});

test("a query without rows stays empty", async () => {
  await expect(db.execute(TWO_ROWS_AND_AN_ERROR)).rejects.toThrow();
  expect(await db.select().from(devices)).toEqual([]);
});
