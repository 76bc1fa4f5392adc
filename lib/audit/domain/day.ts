const DAY_MS = 86_400_000;

/** The first instant of a UTC day `YYYY-MM-DD`; nothing when the text is no day of the calendar. */
export function startOfDay(text: string): Date | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? at : undefined;
}

/** The first instant after that day. */
export function endOfDay(text: string): Date | undefined {
  const at = startOfDay(text);
  return at && new Date(at.getTime() + DAY_MS);
}
