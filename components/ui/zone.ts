export const UTC = "UTC";
/** Cookie with a person's time zone for display. */
export const ZONE_COOKIE = "imprint-zone";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Browsers send zone names in any capitalisation, so the cache is limited: a formatter takes some 30 kB. */
const MAX_FORMATS = 100;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const fields = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric" } as const;
  const options = { ...fields, minute: "numeric", second: "numeric", hourCycle: "h23", timeZone: zone } as const;
  const format = new Intl.DateTimeFormat("en-US", options);
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(zone, format);
  return format;
}

/** Whether the text is a known time zone. */
export function isZone(text: string): boolean {
  try {
    formatOf(text);
    return /^[A-Za-z0-9_+\-/]{1,64}$/.test(text);
  } catch {
    return false;
  }
}

/** Offset of a zone from UTC at an instant, in minutes. */
export function zoneOffset(at: Date, zone: string): number {
  if (zone === UTC) return 0;
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return Math.round((shown - at.getTime()) / MINUTE_MS);
}

/** Local time of a zone at an instant, as a date whose UTC fields contain it. */
export const wallClock = (at: Date, zone: string): Date => new Date(at.getTime() + zoneOffset(at, zone) * MINUTE_MS);

/**
 * The instant of the local time `wall`. A repeated time means its first occurrence; a skipped time means an instant after
 * the gap, so that no step or day starts before the clock reaches it.
 */
export function instantOf(wall: Date, zone: string): Date {
  const before = zoneOffset(new Date(wall.getTime() - DAY_MS), zone);
  const after = zoneOffset(new Date(wall.getTime() + DAY_MS), zone);
  const earlier = new Date(wall.getTime() - before * MINUTE_MS);
  if (before === after) return earlier;
  const later = new Date(wall.getTime() - after * MINUTE_MS);
  return zoneOffset(earlier, zone) !== before && zoneOffset(later, zone) === after ? later : earlier;
}

/** `UTC`, `UTC+1`, `UTC-3:30` */
export function zoneText(at: Date, zone: string): string {
  const offset = zoneOffset(at, zone);
  if (offset === 0) return "UTC";
  const size = Math.abs(offset);
  const minutes = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  return `UTC${offset < 0 ? "-" : "+"}${Math.floor(size / 60)}${minutes}`;
}
