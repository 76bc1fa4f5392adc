import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { countRoundTrips } from "./client";
import { statement } from "./prepared";
import { createTestDatabase } from "@/test/database";

const { db } = await createTestDatabase();

const value = (name: string) => sql`${sql.placeholder(name)}::int`;

test("numbers are inlined in the SQL for the planner, and each placeholder is one parameter", async () => {
  const add = statement<{ sum: number; word: string }>(sql`
    select ${value("one")} + ${value("other")} + ${value("one")} + ${-2}::int as sum, ${"x"}::text as word limit ${1}`);
  const { result, statements } = await countRoundTrips(async () => await add(db, { one: 10 }, { other: 5, one: 10 }));
  expect([...result]).toEqual([{ sum: 23, word: "x" }]);
  expect(statements).toEqual([" select $1::int + $2::int + $1::int + (-2)::int as sum, $3::text as word limit (1)"]);
});

test("conflicting values for one placeholder are an error, and nothing is sent", async () => {
  const add = statement<{ sum: number }>(sql`select ${value("one")} + ${value("other")} as sum`);
  const { result, statements } = await countRoundTrips(() =>
    Promise.resolve()
      .then(() => add(db, { one: 10 }, { other: 5, one: 99 }))
      .catch(String),
  );
  expect(result).toBe("Error: placeholder one has two different values");
  expect(statements).toEqual([]);
  expect([...(await add(db, { one: 10, other: undefined }, { other: 5 }))]).toEqual([{ sum: 15 }]);
});
