import { DAY_MS, parseInstant, withinCalendar } from "@/lib/platform/calendar";

const DEFAULT_DAYS = 30;
const MAX_DAYS = 400;

const DAY = /^\d{4}-\d\d-\d\d$/;

/** `to` is exclusive. */
type TimeRange = { from: Date; to: Date };

/**
 * Resolves the range of a call. Days are whole days in UTC, the last one inclusive; instants are exact. The default is
 * the last 30 days.
 *
 * @returns an error message if the range is invalid
 */
export function resolveTimeRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date,
): TimeRange | string {
  const [first, last] = [
    from === undefined ? undefined : parseInstant(from),
    to === undefined ? now : parseInstant(to),
  ];
  if (from !== undefined && !first) return "from: not a valid day or instant";
  if (!last) return "to: not a valid day or instant";
  const end = last.getTime() + (to !== undefined && DAY.test(to) ? DAY_MS : 0);
  const start = first?.getTime() ?? end - DEFAULT_DAYS * DAY_MS;
  if (start >= end) return "from: must be before to";
  if (end - start > MAX_DAYS * DAY_MS) return `from: at most ${MAX_DAYS} days before to`;
  return { from: withinCalendar(new Date(start)), to: withinCalendar(new Date(end)) };
}
