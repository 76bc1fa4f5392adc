import { parseDay, withinCalendar } from "@/lib/platform/calendar";

const DAY_MS = 86_400_000;

/** The first instant of a UTC day `YYYY-MM-DD`; undefined when the text is no day of the calendar. */
export const startOfDay = parseDay;

/** The first instant after that day. */
export function endOfDay(text: string): Date | undefined {
  const at = startOfDay(text);
  return at && withinCalendar(new Date(at.getTime() + DAY_MS));
}
