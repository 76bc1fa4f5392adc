/** From year 1 to 9999: what JavaScript, RFC 3339 and PostgreSQL write alike. Unix time in milliseconds. */
const [FIRST, LAST] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];

const isOfCalendar = (at: Date): boolean => at.getTime() >= FIRST && at.getTime() <= LAST;

/** The instant that a text names; undefined for one that is none, or that the database cannot hold. */
export function parseInstant(text: string): Date | undefined {
  const at = new Date(text);
  return isOfCalendar(at) ? at : undefined;
}

/** The first instant of a UTC day `YYYY-MM-DD`; undefined when the text is no day of the calendar. */
export function parseDay(text: string): Date | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? parseInstant(`${text}T00:00:00Z`) : undefined;
  return at?.toISOString().startsWith(text) ? at : undefined;
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d{1,6})?\+00$/;

/** Whether a text is a time as PostgreSQL writes it in UTC, with or without a `T`, and can be read by it again. */
export function isTimestamp(text: string): boolean {
  const [, day = "", time = ""] = TIMESTAMP.exec(text) ?? [];
  return parseDay(day) !== undefined && parseInstant(`${day}T${time}Z`) !== undefined;
}

/** The instant itself, or the end of the calendar that it lies beyond. */
export const withinCalendar = (at: Date): Date => new Date(Math.min(LAST, Math.max(FIRST, at.getTime())));
