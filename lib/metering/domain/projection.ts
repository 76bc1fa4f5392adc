import { DAY_MS } from "@/lib/platform/calendar";

/** A linear projection of a month's usage. */
export type Projection = {
  /** Units at the end of the month. */
  atEnd: number;
  /** When the limit is reached; undefined if not before the end of the month. */
  runsOutAt: Date | undefined;
};

/**
 * Extrapolates a month's usage so far. Undefined on its first day, when a single hour would distort the result.
 *
 * @param period UTC month, `YYYY-MM`
 */
export function projectUnits(
  { period, used, limit }: { period: string; used: number; limit: number | null },
  now: Date,
): Projection | undefined {
  const start = Date.parse(`${period}-01T00:00:00Z`);
  const first = new Date(start);
  const end = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1);
  const elapsed = now.getTime() - start;
  if (elapsed < DAY_MS || elapsed > end - start || used === 0) return undefined;
  const reached = limit === null ? Number.POSITIVE_INFINITY : start + (elapsed * limit) / used;
  return {
    atEnd: Math.round((used * (end - start)) / elapsed),
    runsOutAt: reached < end ? new Date(reached) : undefined,
  };
}
