import { DAY_MS, parseDay, withinCalendar } from "@/lib/platform/calendar";

/** The first instant of a UTC day `YYYY-MM-DD`; undefined if the text is not a valid date. */
export const startOfDay = parseDay;

/** The first instant after that day, clamped to the calendar. */
export function endOfDay(text: string): Date | undefined {
  const at = startOfDay(text);
  return at && withinCalendar(new Date(at.getTime() + DAY_MS));
}
