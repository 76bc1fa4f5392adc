import { DAY_MS, parseDay } from "@/lib/platform/calendar";

/** Whole UTC days, inclusive. */
export type DayRange = { from: string; to: string; days: number };

export type RangeRequest = { days?: number | undefined; from?: string | undefined; to?: string | undefined };

const startOf = (day: string): number => parseDay(day)?.getTime() ?? Number.NaN;

/** The date `days` after `day`, as `YYYY-MM-DD`. */
export const addDays = (day: string, days: number): string =>
  new Date(startOf(day) + days * DAY_MS).toISOString().slice(0, 10);

export const firstSecondOf = (day: string): number => startOf(day) / 1000;

/**
 * Resolves the requested days: the last `days` up to `today`, or `from` to `to`.
 *
 * @returns a sentence that describes the problem, if the request is invalid or exceeds `maxDays`
 */
export function resolveRange(
  { days, from, to }: RangeRequest,
  { today, maxDays, defaultDays }: { today: string; maxDays: number; defaultDays: number },
): DayRange | string {
  if ((from === undefined) !== (to === undefined)) return "from and to are given together";
  if (days !== undefined && from !== undefined) return "give either days, or from and to";
  if (from === undefined || to === undefined) {
    const span = days ?? Math.min(defaultDays, maxDays);
    if (!Number.isInteger(span) || span < 1 || span > maxDays) return `days: expected 1 to ${maxDays} on this plan`;
    return { from: addDays(today, 1 - span), to: today, days: span };
  }
  const span = (startOf(to) - startOf(from)) / DAY_MS + 1;
  if (!Number.isInteger(span)) return "from and to are dates, YYYY-MM-DD";
  if (span < 1) return "from is after to";
  if (span > maxDays) return `from and to: at most ${maxDays} days on this plan`;
  return { from, to, days: span };
}
