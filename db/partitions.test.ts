import { expect, test } from "vitest";

import { dropPartitionsBefore, ensurePartitions, eventIdFloor, missingPartitions } from "./partitions";
import { createTestDatabase } from "@/test/database";

const { db, pool } = await createTestDatabase();

const partitions = async (table: string) => {
  const rows = await pool<{ name: string }[]>`
    select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ${table}::regclass order by 1`;
  return rows.map((row) => row.name);
};

const DAY_MS = 86_400_000;

test("partitions reach from the requested month to three months ahead, across a year boundary", async () => {
  const now = new Date("2031-11-21T10:00:00Z");
  const missing = await missingPartitions(db, now);
  for (const table of ["visits", "report_deliveries", "account_links", "visit_rules"])
    expect(missing.filter((name) => name.startsWith(`${table}_`))).toEqual(
      ["203111", "203112", "203201"].map((month) => `${table}_${month}`),
    );
  expect(missing.filter((name) => name.startsWith("visit_signals_"))).toEqual(
    Array.from({ length: 8 }, (_, day) => `visit_signals_203111${21 + day}`),
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

test("nothing is missing before the daily job has had a day to create it, even across a month boundary", async () => {
  const now = new Date("2033-01-30T13:00:00Z");
  await ensurePartitions(db, now, now);
  expect(await missingPartitions(db, new Date("2033-02-01T00:00:00Z"))).toEqual([]);
  expect(await missingPartitions(db, new Date(now.getTime() + 7 * DAY_MS))).toEqual([]);
  expect(await missingPartitions(db, new Date(now.getTime() + 8 * DAY_MS))).toEqual(["visit_signals_20330214"]);
});

test("daily partitions go back at most a month, plus one day if clocks may still be before midnight", async () => {
  const now = new Date("2035-03-15T00:05:00Z");
  await ensurePartitions(db, new Date("2034-12-01T00:00:00Z"), now);
  const days = (await partitions("visit_signals")).filter((name) => /_203[45]/.test(name));
  expect([days[0], days.at(-1)]).toEqual(["visit_signals_20350211", "visit_signals_20350329"]);
});

/** Opens a transaction that has read a table and stays open until `close`. */
async function openReader(table: string) {
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  let hasRead: () => void = () => undefined;
  const read = new Promise<void>((resolve) => (hasRead = resolve));
  const ended = pool.begin(async (tx) => {
    await tx.unsafe(`select 1 from ${table} limit 1`);
    hasRead();
    await closed;
  });
  await read;
  return { close, ended };
}

test("partitions are created while tables are read and dropped after the readers finish, without blocking others", async () => {
  const now = new Date("1997-05-05T12:00:00Z");
  const reader = await openReader("visit_signals");
  await ensurePartitions(db, now, now);
  const dropped = dropPartitionsBefore(db, "day", new Date("1997-05-06T00:20:00Z"));
  // Others never queue behind the drop longer than its lock timeout.
  for (let turn = 0; turn < 5; turn += 1) {
    const startedAt = performance.now();
    await pool`select 1 from visit_signals limit 1`;
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  }
  reader.close();
  await reader.ended;
  expect(await dropped).toEqual(["visit_signals_19970505"]);
});

test("replicas that create partitions concurrently neither fail nor create one twice", async () => {
  const now = new Date("2041-01-31T00:00:00Z");
  await Promise.all(Array.from({ length: 6 }, () => ensurePartitions(db, now, now)));
  expect((await partitions("visits")).filter((name) => name.startsWith("visits_204"))).toHaveLength(4);
});

test("an event id belongs to the partition of its own month, including the first and last millisecond", async () => {
  const now = new Date("2051-03-15T00:00:00Z");
  await ensurePartitions(db, now, now);
  const bounds = await pool<
    { bound: string }[]
  >`select pg_get_expr(relpartbound, oid) as bound from pg_class where relname = 'visits_205103'`;
  expect(bounds[0]?.bound).toBe(
    `FOR VALUES FROM ('${eventIdFloor(new Date("2051-03-01T00:00:00Z"))}') TO ('${eventIdFloor(new Date("2051-04-01T00:00:00Z"))}')`,
  );
});

test("only partitions entirely before the bound are dropped", async () => {
  const early = new Date("1999-11-02T00:00:00Z");
  await ensurePartitions(db, early, early);
  const dropped = await dropPartitionsBefore(db, "month", new Date("2000-01-31T23:59:59Z"));
  expect(dropped.filter((name) => name.includes("_1999"))).toEqual([
    "account_links_199911",
    "account_links_199912",
    "report_deliveries_199911",
    "report_deliveries_199912",
    "visit_rules_199911",
    "visit_rules_199912",
    "visits_199911",
    "visits_199912",
  ]);
  expect(await partitions("visits")).toContain("visits_200001");
});
