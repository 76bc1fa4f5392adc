import { parseInstant, withinCalendar } from "@/lib/platform/calendar";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 400;

const DAY = /^\d{4}-\d\d-\d\d$/;

/** `to` is not included. */
type TimeRange = { from: Date; to: Date };

/**
 * The range of a call: days are whole ones in UTC, the last one included; instants are taken as they are. The last 30
 * days without either end.
 *
 * @returns a sentence when it is none
 */
export function resolveTimeRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date,
): TimeRange | string {
  const [first, last] = [
    from === undefined ? undefined : parseInstant(from),
    to === undefined ? now : parseInstant(to),
  ];
  if (from !== undefined && !first) return "from: not an instant of the calendar";
  if (!last) return "to: not an instant of the calendar";
  const end = last.getTime() + (to !== undefined && DAY.test(to) ? DAY_MS : 0);
  const start = first?.getTime() ?? end - DEFAULT_DAYS * DAY_MS;
  if (start >= end) return "from: has to lie before to";
  if (end - start > MAX_DAYS * DAY_MS) return `from: at most ${MAX_DAYS} days before to`;
  return { from: withinCalendar(new Date(start)), to: withinCalendar(new Date(end)) };
}
