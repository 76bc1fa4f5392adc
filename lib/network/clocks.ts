import countriesAndTimezones from "countries-and-timezones";

import type { Clock } from "./domain/rule";

const HOUR_MS = 3_600_000;
const OFFSET = /^GMT(?:([+-])(\d{1,2}):?(\d{2})?)?$/;

/** Minutes east of Greenwich that a zone's clocks show; `undefined` for a name that is no zone. */
export function offsetOfZone(timeZone: string, at: Date): number | undefined {
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
    const text = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [matched, sign, hours = "0", minutes = "0"] = OFFSET.exec(text) ?? [];
    if (matched === undefined) return undefined;
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) || 0;
  } catch {
    return undefined;
  }
}

const known = new Map<string, readonly number[]>();
let knownHour = 0;

/** The offsets of all zones of a country at a time, ascending. Making a format is dear, so they are kept for an hour. */
export function offsetsOfCountry(countryCode: string, at: Date): readonly number[] {
  const hour = Math.floor(at.getTime() / HOUR_MS);
  if (hour !== knownHour) known.clear();
  knownHour = hour;
  const kept = known.get(countryCode);
  if (kept) return kept;
  const zones = countriesAndTimezones.getTimezonesForCountry(countryCode, { deprecated: false }) ?? [];
  const offsets = zones.flatMap(({ name }) => offsetOfZone(name, at) ?? []);
  const distinct = [...new Set(offsets)].sort((a, b) => a - b);
  known.set(countryCode, distinct);
  return distinct;
}

/** What the browser says of its clock. */
export type BrowserClock = {
  timeZone?: string | undefined;
  /** As `Date.prototype.getTimezoneOffset`: minutes, positive west of Greenwich. */
  offsetMinutes?: number | undefined;
  /** The browser's protection hides the zone of the system. */
  isHidden: boolean;
};

/** Zones that servers and careful people set, wherever they are. */
const UTC_ZONES = /^(?:Etc\/)?(?:UTC|GMT(?:[+-]?0)?|UCT|Universal|Zulu|Greenwich)$/i;
const MOST_OFFSET_MINUTES = 14 * 60;

/** The browser's clock beside those of a country; nothing when there is nothing to compare. */
export function compareClocks(
  { timeZone, offsetMinutes, isHidden }: BrowserClock,
  countryCode: string | undefined,
  at: Date,
): Clock | undefined {
  if (isHidden || countryCode === undefined || UTC_ZONES.test(timeZone ?? "")) return undefined;
  const ofZone = timeZone === undefined ? undefined : offsetOfZone(timeZone, at);
  const counted =
    offsetMinutes !== undefined && Math.abs(offsetMinutes) <= MOST_OFFSET_MINUTES ? -offsetMinutes : undefined;
  const offsetsMinutes = [...new Set([ofZone, counted].flatMap((offset) => (offset === undefined ? [] : offset || 0)))];
  if (offsetsMinutes.length === 0 || (ofZone === undefined && counted === 0)) return undefined;
  return {
    label: [timeZone, offsetMinutes === undefined ? undefined : `offset ${offsetMinutes}`].filter(Boolean).join(", "),
    offsetsMinutes,
    countryOffsetsMinutes: offsetsOfCountry(countryCode, at),
  };
}
