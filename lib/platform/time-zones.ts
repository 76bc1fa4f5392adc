import { HOUR_MS } from "./calendar";

/** Zones change at a quarter of an hour of UTC: those of Adelaide and St. John's at half past. */
export const QUARTER_HOUR_MS = HOUR_MS / 4;

const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2})(?::\d{2})?)?$/;

function readOffset(timeZone: string, at: Date): number | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    const text = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [matched, sign, hours = "0", minutes = "0"] = OFFSET.exec(text) ?? [];
    if (matched === undefined) return undefined;
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) || 0;
  } catch {
    return undefined;
  }
}

/** Bounded, since visitors send the names: there are about 600 zones, in any mixture of upper and lower case. */
const MAX_KNOWN = 4_000;
/** By quarter of an hour and zone: creating a format takes a hundred times as long as everything else here. Only a cache. */
const known = new Map<string, number | undefined>();

/** UTC offset of a zone in minutes (east is positive), by this server's time zone data; undefined for an unknown zone. */
export function offsetOfZone(timeZone: string, at: Date): number | undefined {
  const key = `${Math.floor(at.getTime() / QUARTER_HOUR_MS)} ${timeZone}`;
  if (known.has(key)) return known.get(key);
  const offset = readOffset(timeZone, at);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, offset);
  return offset;
}
