import { expect, test } from "vitest";

import { dropPartitionsBefore, ensurePartitions, eventIdFloor, missingPartitions } from "./partitions";
import { createTestDatabase } from "@/test/database";

const { db, pool } = await createTestDatabase();

const partitions = async (table: string) => {
  const rows = await pool<{ name: string }[]>`
    select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ${table}::regclass order by 1`;
  return rows.map((row) => row.name);
};

test("partitions reach from the asked month to three months ahead, over the turn of a year", async () => {
  const now = new Date("2031-11-21T10:00:00Z");
  expect(await missingPartitions(db, now)).toEqual(
    ["203111", "203112", "203201", "203202"].flatMap((month) => [
      `visits_${month}`,
      `report_deliveries_${month}`,
      `account_links_${month}`,
    ]),
  );
  await ensurePartitions(db, new Date("2031-09-30T23:59:59Z"), now);
  expect(await missingPartitions(db, now)).toEqual([]);
  const made = (await partitions("visits")).filter((name) => name.startsWith("visits_203"));
  expect(made).toEqual([
    "visits_203109",
    "visits_203110",
    "visits_203111",
    "visits_203112",
    "visits_203201",
    "visits_203202",
  ]);
});

test("many replicas that make partitions at once neither fail nor make one twice", async () => {
  const now = new Date("2041-01-31T00:00:00Z");
  await Promise.all(Array.from({ length: 6 }, () => ensurePartitions(db, now, now)));
  expect((await partitions("visits")).filter((name) => name.startsWith("visits_204"))).toHaveLength(4);
});

test("an event id belongs to the partition of its own month, first and last millisecond included", async () => {
  const now = new Date("2051-03-15T00:00:00Z");
  await ensurePartitions(db, now, now);
  const bounds = await pool<
    { bound: string }[]
  >`select pg_get_expr(relpartbound, oid) as bound from pg_class where relname = 'visits_205103'`;
  expect(bounds[0]?.bound).toBe(
    `FOR VALUES FROM ('${eventIdFloor(new Date("2051-03-01T00:00:00Z"))}') TO ('${eventIdFloor(new Date("2051-04-01T00:00:00Z"))}')`,
  );
});

test("only partitions that lie wholly before the bound are dropped", async () => {
  const early = new Date("1999-11-02T00:00:00Z");
  await ensurePartitions(db, early, early);
  expect(await dropPartitionsBefore(db, new Date("2000-01-31T23:59:59Z"))).toEqual([
    "account_links_199911",
    "account_links_199912",
    "report_deliveries_199911",
    "report_deliveries_199912",
    "visits_199911",
    "visits_199912",
  ]);
  expect(await partitions("visits")).toContain("visits_200001");
});
