import type { Fact } from "./fact";

/** A month with fewer visits tells nothing of what one takes. */
const MIN_ROWS = 1_000;
/** Less is not worth the work, of a month and in all. */
const MIN_SHARE = 0.3;
const MIN_BYTES = 200e6;

type TableSize = { table: string; name: string; bytes: number; rows: number };

const gigabytes = (bytes: number) => `${(bytes / 1e9).toPrecision(2)} GB`;

/**
 * What deleted visits have left in their months. Visits are stored in the month in which they come, so nothing uses the
 * space of earlier ones again.
 */
export function assessSpace(tables: readonly TableSize[]): Fact {
  const name = "space";
  const months = tables.filter(({ table }) => table === "visits").sort((a, b) => (a.name < b.name ? -1 : 1));
  const full = months.findLast(({ rows }) => rows >= MIN_ROWS);
  const bytesOfVisit = full ? full.bytes / full.rows : Infinity;
  const sparse = months
    .map((month) => ({ ...month, free: month.bytes - month.rows * bytesOfVisit }))
    .filter(({ free, bytes }) => free > bytes * MIN_SHARE);
  const free = sparse.reduce((sum, month) => sum + month.free, 0);
  if (free < MIN_BYTES) return { name, status: "ok", text: "Deleted visits left no space that is worth taking back." };
  const names = sparse.map((month) => month.name);
  return {
    name,
    status: "warn",
    text: `Deleted visits left ${gigabytes(free)} free in ${names.join(", ")}, which nothing uses again.`,
    fix: `At a quiet hour, as the owner of the tables: ${names.map((month) => `vacuum full ${month};`).join(" ")} Reports of a month wait while it is rewritten. The space comes back by itself when RETENTION_DAYS drops the month.`,
  };
}
