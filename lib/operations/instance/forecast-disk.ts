import type { Db } from "@/db/client";
import { readTableSizes, type TableSize } from "@/db/table-sizes";
import { findFirstEvent, findNewShare } from "@/lib/visits/visit-store";
import { DAY_MS } from "@/lib/platform/calendar";
import { type CheckResult, ok } from "./domain/check-result";
import { forecast, type Measured, type Retention } from "./domain/retention";

/** Days over which the rate of visits is measured. */
const MEASURED_DAYS = 7;

/** A table's non-empty partitions, oldest first. */
const filled = (tables: readonly TableSize[], wanted: string) =>
  tables.filter(({ table, rows }) => table === wanted && rows > 0).sort((a, b) => (a.name < b.name ? -1 : 1));

/** Visits since the start of a UTC day, counted by the daily partitions of raw signals. */
function visitsSince(tables: readonly TableSize[], day: Date): number {
  const first = `visit_signals_${day.toISOString().slice(0, 10).replaceAll("-", "")}`;
  return filled(tables, "visit_signals").reduce((sum, { name, rows }) => sum + (name >= first ? rows : 0), 0);
}

type Rate = { visitsPerDay: number; measuredDays: number };

const daysBetween = (from: Date, to: Date) => (to.getTime() - from.getTime()) / DAY_MS;

/** The rate since the first visit of this or the previous month. */
async function rateOfMonths(db: Db, tables: readonly TableSize[], now: Date): Promise<Rate> {
  const previous = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
  const oldest = `visits_${previous.toISOString().slice(0, 7).replace("-", "")}`;
  const months = filled(tables, "visits").filter(({ name }) => name >= oldest);
  const firstAt = (months[0] && (await findFirstEvent(db, months[0].name))) ?? now;
  const measuredDays = Math.max(1, daysBetween(firstAt, now));
  return { visitsPerDay: months.reduce((sum, { rows }) => sum + rows, 0) / measuredDays, measuredDays };
}

async function measureRate(
  db: Db,
  tables: readonly TableSize[],
  now: Date,
  { signalsRetentionDays }: Retention,
): Promise<Rate> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const from = new Date(today - (Math.min(MEASURED_DAYS, signalsRetentionDays) - 1) * DAY_MS);
  // Signals kept for one day are those since midnight, and a period of less than a day says nothing.
  if (daysBetween(from, now) < 1) return await rateOfMonths(db, tables, now);
  const [first] = filled(tables, "visit_signals");
  const firstAt = (first && (await findFirstEvent(db, first.name))) ?? now;
  // If the service has not run that long, measure from its first visit.
  const measuredDays = firstAt > from ? Math.max(1, daysBetween(firstAt, now)) : daysBetween(from, now);
  return { visitsPerDay: visitsSince(tables, from) / measuredDays, measuredDays };
}

/** Measures the database's contents and growth; undefined if there were no visits in the last days. */
export async function measureGrowth(db: Db, now: Date, retention: Retention): Promise<(Measured & Rate) | undefined> {
  const tables = await readTableSizes(db);
  const months = filled(tables, "visits");
  const [oldest, newest] = [months[0], months.at(-1)];
  const rate = await measureRate(db, tables, now, retention);
  if (oldest === undefined || newest === undefined || rate.visitsPerDay === 0) return undefined;
  const firstAt = (await findFirstEvent(db, oldest.name)) ?? now;
  return {
    tables,
    ...rate,
    ageDays: daysBetween(firstAt, now),
    newShare: await findNewShare(db, newest.name, newest.pages),
    workspaces: tables.find(({ table }) => table === "workspaces")?.rows ?? 1,
  };
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toPrecision(2)} GB`;
const kilobytes = (bytes: number) => `${(bytes / 1e3).toFixed(1)} kB`;

/** Forecasts the database's size on disk once visits reach their maximum age, just before a month is dropped. */
export async function forecastDisk(db: Db, now: Date, retention: Retention): Promise<CheckResult> {
  const { retentionDays, signalsRetentionDays } = retention;
  const kept = `Visits are kept ${retentionDays} days, raw signals ${signalsRetentionDays} days`;
  const growth = await measureGrowth(db, now, retention);
  if (growth === undefined) return ok("retention", `${kept}. There were no visits in the last days to estimate from.`);
  const { visitBytes, signalsBytes, allBytes } = forecast(growth, retention);
  const days = Math.round(growth.measuredDays);
  const rate = `${Math.round(growth.visitsPerDay)} visits a day, as in the last ${days === 1 ? "day" : `${days} days`}`;
  const each = `${kilobytes(visitBytes)} of each visit, ${kilobytes(signalsBytes)} of its signals and the data on devices`;
  return ok("retention", `${kept}: up to ${gigabytes(allBytes)} at ${rate}, with ${each}.`);
}
