import countriesAndTimezones from "countries-and-timezones";

import type { Clock } from "./domain/rule";

const HOUR_MS = 3_600_000;
const OFFSET = /^GMT(?:([+-])(\d{1,2}):?(\d{2})?)?$/;

function readOffset(timeZone: string, at: Date): number | undefined {
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

/** Visitors name the zones: there are some 600, in any mixture of capitals. */
const MAX_KNOWN_ZONES = 2_000;

/** What was found out about one hour: making a format is dear. */
const known = {
  hour: 0,
  ofZone: new Map<string, number | undefined>(),
  ofCountry: new Map<string, readonly number[]>(),
};

function knownAt(at: Date): typeof known {
  const hour = Math.floor(at.getTime() / HOUR_MS);
  if (hour !== known.hour || known.ofZone.size >= MAX_KNOWN_ZONES) {
    known.ofZone.clear();
    known.ofCountry.clear();
  }
  known.hour = hour;
  return known;
}

/** Minutes east of Greenwich that a zone's clocks show; `undefined` for a name that is no zone. */
export function offsetOfZone(timeZone: string, at: Date): number | undefined {
  const { ofZone } = knownAt(at);
  if (!ofZone.has(timeZone)) ofZone.set(timeZone, readOffset(timeZone, at));
  return ofZone.get(timeZone);
}

/** The offsets of all zones of a country at a time, ascending. */
export function offsetsOfCountry(countryCode: string, at: Date): readonly number[] {
  const { ofCountry } = knownAt(at);
  const kept = ofCountry.get(countryCode);
  if (kept) return kept;
  const zones = countriesAndTimezones.getTimezonesForCountry(countryCode, { deprecated: false }) ?? [];
  const offsets = zones.flatMap(({ name }) => readOffset(name, at) ?? []);
  const distinct = [...new Set(offsets)].sort((a, b) => a - b);
  ofCountry.set(countryCode, distinct);
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
const MAX_OFFSET_MINUTES = 14 * 60;

/** The browser's clock compared with those of a country; nothing when there is nothing to compare. */
export function compareClocks(
  { timeZone, offsetMinutes, isHidden }: BrowserClock,
  countryCode: string | undefined,
  at: Date,
): Clock | undefined {
  if (isHidden || countryCode === undefined || UTC_ZONES.test(timeZone ?? "")) return undefined;
  const ofZone = timeZone === undefined ? undefined : offsetOfZone(timeZone, at);
  const counted =
    offsetMinutes !== undefined && Math.abs(offsetMinutes) <= MAX_OFFSET_MINUTES ? -offsetMinutes : undefined;
  const offsetsMinutes = [...new Set([ofZone, counted].flatMap((offset) => (offset === undefined ? [] : offset || 0)))];
  if (offsetsMinutes.length === 0 || (ofZone === undefined && counted === 0)) return undefined;
  return {
    label: [timeZone, offsetMinutes === undefined ? undefined : `offset ${offsetMinutes}`].filter(Boolean).join(", "),
    offsetsMinutes,
    countryOffsetsMinutes: offsetsOfCountry(countryCode, at),
  };
}
