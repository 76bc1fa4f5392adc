import { DAY_MS, HOUR_MS } from "@/lib/platform/calendar";

import { HOURLY_DAYS } from "./dimensions";

const down = (at: Date, unitMs: number) => new Date(Math.floor(at.getTime() / unitMs) * unitMs);
const up = (at: Date, unitMs: number) => new Date(Math.ceil(at.getTime() / unitMs) * unitMs);

export type Range = { from: Date; to: Date };

/** Time from which all slices are available by hour. */
export const hourlySince = (now: Date): Date => up(new Date(now.getTime() - (HOURLY_DAYS - 1) * DAY_MS), DAY_MS);

/**
 * Rounds a range outward to whole hours, or to UTC days if it begins where hours are no longer kept. Ends no later than
 * the current hour.
 */
export function wholeRange({ from, to }: Range, now: Date): Range {
  const isHourly = from >= hourlySince(now);
  const end = to >= now ? up(now, HOUR_MS) : isHourly ? up(to, HOUR_MS) : up(to, DAY_MS);
  const start = down(from, isHourly ? HOUR_MS : DAY_MS);
  return { from: start, to: end > start ? end : new Date(start.getTime() + HOUR_MS) };
}

/** Bars for a chart of the range: hourly up to 2 days, every 6 hours up to 15 days, daily beyond. */
export function rangeSteps({ from, to }: Range): { starts: Date[]; hours: 1 | 6 | 24 } {
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  const hours = days <= 2 ? 1 : days <= HOURLY_DAYS ? 6 : 24;
  const starts = [from];
  for (let at = down(from, hours * HOUR_MS).getTime() + hours * HOUR_MS; at < to.getTime(); at += hours * HOUR_MS)
    starts.push(new Date(at));
  return { starts, hours };
}

/** The preceding range of the same length. */
export const previousRange = ({ from, to }: Range): Range => ({
  from: new Date(2 * from.getTime() - to.getTime()),
  to: from,
});
