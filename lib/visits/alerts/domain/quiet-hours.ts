/**
 * Minutes since midnight in a time zone. `from` is inclusive, `to` exclusive; spans midnight unless `to` is later than
 * `from`.
 */
export type QuietHours = { from: number; to: number; zone: string };

const DAY_MINUTES = 1440;
const MINUTE_MS = 60_000;

function minuteOfDay(at: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  })
    .formatToParts(at)
    .map(({ type, value }) => [type, Number(value)] as const);
  const { hour = 0, minute = 0 } = Object.fromEntries(parts);
  return hour * 60 + minute;
}

export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** The end of the quiet hours that contain `at`, to the minute; `at` itself if it is outside of them. */
export function afterQuietHours(at: Date, quiet: QuietHours | undefined): Date {
  if (!quiet || quiet.from === quiet.to) return at;
  const now = minuteOfDay(at, quiet.zone);
  const isOver = quiet.from < quiet.to ? now < quiet.from || now >= quiet.to : now < quiet.from && now >= quiet.to;
  if (isOver) return at;
  const left = (quiet.to - now + DAY_MINUTES) % DAY_MINUTES;
  const end = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS);
  // Corrects the end if the clocks change in between.
  const off = ((quiet.to - minuteOfDay(end, quiet.zone) + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2;
  return new Date(end.getTime() + off * MINUTE_MS);
}

/** Parses `22:30` as minutes since midnight. Undefined for anything else. */
export function parseTimeOfDay(text: string): number | undefined {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hour === undefined || minute === undefined ? undefined : Number(hour) * 60 + Number(minute);
}

export const formatTimeOfDay = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
