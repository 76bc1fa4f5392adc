import { randomUUID } from "node:crypto";

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { countRoundTrips } from "@/db/client";
import { createTestDatabase } from "@/test/database";
import { takePermitAndRead } from "./take-permit";

const { db } = await createTestDatabase();

const limit = { name: "together", ratePerSecond: 0.01, burst: 1 };
const DOUBLED = sql`select ${sql.placeholder("number")}::int * 2 as doubled, ${sql.placeholder("text")}::text as text
  where ${sql.placeholder("number")}::int >= 0`;

const takeAndRead = (subject: string, number: number, text: string | null = null) =>
  takePermitAndRead(db, limit, subject, "closed", { sql: DOUBLED, values: [{ number }, { text }] });

test("permits that are taken at the same time share statements, and each caller gets its own decision and row", async () => {
  const subjects = Array.from({ length: 24 }, () => randomUUID());
  const [used = ""] = subjects;
  await takeAndRead(used, 0);
  const { result, roundTrips } = await countRoundTrips(() =>
    Promise.all(subjects.map((subject, index) => takeAndRead(subject, index, `"${index}', \\ ü`))),
  );
  expect(result.map(({ decision }) => decision.allowed)).toEqual(subjects.map((subject) => subject !== used));
  const rows = result.map(({ row }) => row);
  // The subject that is known to be refused reads nothing.
  expect(rows.slice(1)).toEqual(
    rows.slice(1).map((_, index) => ({ doubled: 2 * index + 2, text: `"${index + 1}', \\ ü` })),
  );
  expect(roundTrips).toBeLessThanOrEqual(10);
});

test("a query that finds nothing for one caller has null columns for it alone", async () => {
  const [none, one] = await Promise.all([takeAndRead(randomUUID(), -1), takeAndRead(randomUUID(), 1, "one")]);
  expect([none.row, one.row]).toEqual([
    { doubled: null, text: null },
    { doubled: 2, text: "one" },
  ]);
});

test("a value that is refused fails only its own caller", async () => {
  const settled = await Promise.allSettled([
    takeAndRead(randomUUID(), 1),
    takeAndRead(randomUUID(), 2 ** 40),
    takeAndRead(randomUUID(), 3),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});
