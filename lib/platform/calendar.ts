export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Years 1 to 9999, which JavaScript, RFC 3339 and PostgreSQL all format the same way. Unix time in milliseconds. */
const [FIRST, LAST] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];

const isOfCalendar = (at: Date): boolean => at.getTime() >= FIRST && at.getTime() <= LAST;

/** Undefined for an invalid instant, and for one that the database cannot store. */
export function parseInstant(text: string): Date | undefined {
  const at = new Date(text);
  return isOfCalendar(at) ? at : undefined;
}

/** The first instant of a UTC day `YYYY-MM-DD`; undefined for an invalid day. */
export function parseDay(text: string): Date | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? parseInstant(`${text}T00:00:00Z`) : undefined;
  return at?.toISOString().startsWith(text) ? at : undefined;
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d{1,6})?\+00$/;

/** Whether a text is a UTC timestamp that PostgreSQL accepts, with or without a `T`. */
export function isTimestamp(text: string): boolean {
  const [, day = "", time = ""] = TIMESTAMP.exec(text) ?? [];
  return parseDay(day) !== undefined && parseInstant(`${day}T${time}Z`) !== undefined;
}

/** Clamps an instant to the calendar. */
export const withinCalendar = (at: Date): Date => new Date(Math.min(LAST, Math.max(FIRST, at.getTime())));
