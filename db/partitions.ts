import { sql } from "drizzle-orm";

import type { Db } from "./client";

/** Tables that are range-partitioned by month on `event_id`, a UUIDv7. */
const PARTITIONED_TABLES = ["visits", "report_deliveries", "account_links"] as const;

/** Months after the current one whose partitions always exist. */
const MONTHS_AHEAD = 3;

/** The lowest UUIDv7 of an instant: 48 bits of Unix milliseconds, then zeros. Source: RFC 9562, section 5.7. */
export const eventIdFloor = (at: Date): string => {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
};

const monthStart = (at: Date, offset: number) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset, 1));

const suffix = (month: Date) => month.toISOString().slice(0, 7).replace("-", "");

function monthsBetween(from: Date, to: Date): Date[] {
  const months: Date[] = [];
  for (let offset = 0; monthStart(from, offset) <= to; offset += 1) months.push(monthStart(from, offset));
  return months;
}

async function existingPartitions(db: Db): Promise<Set<string>> {
  const rows = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    join pg_class p on p.oid = i.inhparent where p.relname in ('visits', 'report_deliveries', 'account_links')`);
  return new Set(rows.map((row) => row.name));
}

const wanted = (from: Date, to: Date) =>
  monthsBetween(from, to).flatMap((month) =>
    PARTITIONED_TABLES.map((table) => ({ table, month, name: `${table}_${suffix(month)}` })),
  );

/** Partitions that should exist at `now` and do not. */
export async function missingPartitions(db: Db, now: Date): Promise<string[]> {
  const existing = await existingPartitions(db);
  return wanted(now, monthStart(now, MONTHS_AHEAD))
    .filter(({ name }) => !existing.has(name))
    .map(({ name }) => name);
}

/**
 * Creates the monthly partitions from the month of `from` to three months after `now`. Idempotent, and safe on several
 * replicas concurrently: it holds a lock.
 */
export async function ensurePartitions(db: Db, from: Date, now: Date): Promise<void> {
  const existing = await existingPartitions(db);
  const missing = wanted(from, monthStart(now, MONTHS_AHEAD)).filter(({ name }) => !existing.has(name));
  if (missing.length === 0) return;
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(727276)`);
    for (const { table, month, name } of missing) {
      const [first, end] = [eventIdFloor(month), eventIdFloor(monthStart(month, 1))];
      await tx.execute(
        sql.raw(`create table if not exists ${name} partition of ${table} for values from ('${first}') to ('${end}')`),
      );
    }
  });
}

/** Drops the partitions in which all events are older than `before`; returns their names. */
export async function dropPartitionsBefore(db: Db, before: Date): Promise<string[]> {
  const oldestKept = suffix(before);
  const old = [...(await existingPartitions(db))].filter((name) => name.slice(-6) < oldestKept).sort();
  for (const name of old) await db.execute(sql.raw(`drop table if exists ${name}`));
  return old;
}
