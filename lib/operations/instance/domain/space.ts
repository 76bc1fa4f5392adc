import { type CheckResult, ok, warn } from "./check-result";

/** Minimum visits of a month to measure the size of one. */
const MIN_ROWS = 1_000;
/** Below these, per month and in total, it is not worth the work. */
const MIN_SHARE = 0.3;
const MIN_BYTES = 200e6;

type TableSize = { table: string; name: string; bytes: number; rows: number };

const gigabytes = (bytes: number) => `${(bytes / 1e9).toPrecision(2)} GB`;

/**
 * Assesses the space left by deleted visits. Visits are stored in the month in which they arrive, so nothing reuses the
 * space in earlier months.
 */
export function assessSpace(tables: readonly TableSize[]): CheckResult {
  const name = "space";
  const months = tables.filter(({ table }) => table === "visits").sort((a, b) => (a.name < b.name ? -1 : 1));
  const full = months.findLast(({ rows }) => rows >= MIN_ROWS);
  const bytesOfVisit = full ? full.bytes / full.rows : Infinity;
  const sparse = months
    .map((month) => ({ ...month, free: month.bytes - month.rows * bytesOfVisit }))
    .filter(({ free, bytes }) => free > bytes * MIN_SHARE);
  const free = sparse.reduce((sum, month) => sum + month.free, 0);
  if (free < MIN_BYTES) return ok(name, "Deleted visits left no space worth reclaiming.");
  const names = sparse.map((month) => month.name);
  return warn(
    name,
    `Deleted visits left ${gigabytes(free)} free in ${names.join(", ")}, which nothing will reuse.`,
    `At a quiet hour, as the owner of the tables: ${names.map((month) => `vacuum full ${month};`).join(" ")} Reports of a month wait while it is rewritten. The space is released automatically when RETENTION_DAYS drops the month.`,
  );
}
