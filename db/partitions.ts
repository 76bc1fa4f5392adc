import { setTimeout as delay } from "node:timers/promises";

import { sql } from "drizzle-orm";

import { DAY_MS } from "@/lib/platform/calendar";

import type { Db } from "./client";
import { causes } from "./failures";
import { readTableSizes } from "./table-sizes";

type Width = "month" | "day";

/** A table that is range-partitioned on `event_id`, a UUIDv7. */
type Partitioned = {
  table: string;
  width: Width;
  /** Number of partitions created after the current one. */
  ahead: number;
  /** Number of those that must exist at any time: a job creates the next one within an hour of it becoming possible. */
  needed: number;
  /** No partitions are created further back than this many days. */
  daysBack?: number;
  /** Whether rows are deleted before their partition is dropped, so that dead rows should be vacuumed early. */
  isDeletedFrom?: boolean;
};

const TABLES: readonly Partitioned[] = [
  { table: "visits", width: "month", ahead: 3, needed: 2, isDeletedFrom: true },
  { table: "report_deliveries", width: "month", ahead: 3, needed: 2 },
  { table: "account_links", width: "month", ahead: 3, needed: 2, isDeletedFrom: true },
  { table: "visit_rules", width: "month", ahead: 3, needed: 2, isDeletedFrom: true },
  { table: "visit_signals", width: "day", ahead: 14, needed: 7, daysBack: 31 },
];

/** Maximum clock difference between processes: event ids carry process time. */
const CLOCK_SKEW_MS = 10 * 60_000;

/** The lowest UUIDv7 of an instant: 48 bits of Unix milliseconds, then zeros. Source: RFC 9562, section 5.7. */
export const eventIdFloor = (at: Date): string => {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
};

/** Start of the month or day, in UTC, `offset` periods after that of `at`. */
const startOf = (width: Width, at: Date, offset = 0): Date =>
  width === "month"
    ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset, 1))
    : new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + offset));

const suffix = (width: Width, start: Date) =>
  start
    .toISOString()
    .slice(0, width === "month" ? 7 : 10)
    .replaceAll("-", "");

type Partition = Partitioned & { name: string; start: Date };

function partitionsOf(table: Partitioned, from: Date, to: Date): Partition[] {
  const found: Partition[] = [];
  for (let offset = 0; ; offset += 1) {
    const start = startOf(table.width, from, offset);
    if (start > to) return found;
    found.push({ ...table, start, name: `${table.table}_${suffix(table.width, start)}` });
  }
}

const existingPartitions = (db: Db) =>
  db.execute<{ name: string; table: string }>(sql`
    select c.relname as name, p.relname as table
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and p.relnamespace = current_schema()::regnamespace
      and p.relname = any (${`{${TABLES.map(({ table }) => table).join()}}`}::text[])`);

async function missingOf(db: Db, wanted: readonly Partition[]): Promise<Partition[]> {
  const existing = new Set((await existingPartitions(db)).map(({ name }) => name));
  return wanted.filter(({ name }) => !existing.has(name));
}

/** Partitions that should exist at `now` but do not. */
export async function missingPartitions(db: Db, now: Date): Promise<string[]> {
  const needed = TABLES.flatMap((table) => partitionsOf(table, now, startOf(table.width, now, table.needed)));
  return (await missingOf(db, needed)).map(({ name }) => name);
}

const wantedAt = (from: Date, now: Date) =>
  TABLES.flatMap((table) => {
    const first = Math.max(from.getTime(), now.getTime() - (table.daysBack ?? Infinity) * DAY_MS) - CLOCK_SKEW_MS;
    return partitionsOf(table, new Date(first), startOf(table.width, now, table.ahead));
  });

/** Vacuum at a twentieth of dead rows instead of a fifth. */
const VACUUMED_SOON = " with (autovacuum_vacuum_scale_factor = 0.05)";

/** Creates the table and then attaches it, which blocks neither readers nor writers of the parent. */
async function makePartition(tx: Db, { name, table, width, start, isDeletedFrom }: Partition): Promise<void> {
  const [first, end] = [eventIdFloor(start), eventIdFloor(startOf(width, start, 1))];
  await tx.execute(sql.raw(`create table ${name} (like ${table} including all)${isDeletedFrom ? VACUUMED_SOON : ""}`));
  await tx.execute(sql.raw(`alter table ${table} attach partition ${name} for values from ('${first}') to ('${end}')`));
}

/**
 * Creates the partitions from that of `from` to three months (or two weeks) after `now`. Idempotent, and safe on
 * several replicas concurrently: it takes a lock.
 */
export async function ensurePartitions(db: Db, from: Date, now: Date): Promise<void> {
  // One transaction per partition: on a cluster each is a table on every shard.
  for (const partition of await missingOf(db, wantedAt(from, now)))
    await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(727276)`);
      if ((await missingOf(tx, [partition])).length > 0) await makePartition(tx, partition);
    });
}

/**
 * Creates the partitions around each of the times that processes may have, and those of the day before, to which a clock
 * may be set back.
 */
export async function ensurePartitionsAround(db: Db, clocks: readonly Date[]): Promise<void> {
  for (const clock of clocks) await ensurePartitions(db, new Date(clock.getTime() - DAY_MS), clock);
}

/** All later statements queue behind one that waits for a table lock, so the drop fails early and is retried. */
const LOCK_TIMEOUT_MS = 200;
const ATTEMPTS = 10;
const PAUSE_MS = 500;
const LOCK_NOT_AVAILABLE = "55P03";

const isLocked = (error: unknown): boolean =>
  [...causes(error)].some((at) => "code" in at && at.code === LOCK_NOT_AVAILABLE);

async function dropPartition(db: Db, name: string, isDroppable?: (tx: Db) => Promise<boolean>): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(async (tx) => {
        await tx.execute(sql.raw(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`));
        if (isDroppable && !(await isDroppable(tx))) return false;
        await tx.execute(sql.raw(`drop table if exists ${name}`));
        return true;
      });
    } catch (error) {
      if (attempt === ATTEMPTS || !isLocked(error)) throw error;
      await delay(PAUSE_MS);
    }
  }
}

/**
 * Drops the partitions of a width in which all events are older than `before`, which frees their space at once. Returns
 * their names.
 */
export async function dropPartitionsBefore(db: Db, width: Width, before: Date): Promise<string[]> {
  const oldestKept = suffix(width, new Date(before.getTime() - CLOCK_SKEW_MS));
  const tables = new Set(TABLES.flatMap((each) => (each.width === width ? [each.table] : [])));
  const old = (await existingPartitions(db))
    .filter(({ name, table }) => tables.has(table) && name.slice(table.length + 1) < oldestKept)
    .map(({ name }) => name)
    .sort();
  for (const name of old) await dropPartition(db, name);
  return old;
}

/** Dropping smaller tables gains nothing. */
const MIN_EMPTY_BYTES = 1024 * 1024;

/** Locks the partition until the transaction ends, so that no row is stored between the check and the drop. */
async function isEmpty(tx: Db, name: string): Promise<boolean> {
  await tx.execute(sql.raw(`lock table ${name} in access exclusive mode`));
  return (await tx.execute(sql.raw(`select 1 from ${name} limit 1`))).length === 0;
}

/**
 * Drops monthly partitions before that of `before` whose visits were all deleted but which still take space; nothing is
 * stored in them any more. The month's other partitions are dropped too if they are empty. Returns the names.
 */
export async function dropEmptiedMonths(db: Db, before: Date): Promise<string[]> {
  const month = suffix("month", before);
  const months = (await readTableSizes(db)).filter(({ table, name }) => table === "visits" && name !== table);
  const dropped: string[] = [];
  for (const { name, bytes } of months) {
    const ofMonth = name.slice("visits_".length);
    if (ofMonth >= month || bytes < MIN_EMPTY_BYTES) continue;
    if (!(await dropPartition(db, name, (tx) => isEmpty(tx, name)))) continue;
    dropped.push(name);
    for (const other of ["account_links", "visit_rules", "report_deliveries"].map((table) => `${table}_${ofMonth}`))
      if (await dropPartition(db, other, (tx) => isEmpty(tx, other))) dropped.push(other);
  }
  return dropped;
}
