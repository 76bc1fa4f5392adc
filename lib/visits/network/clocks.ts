import countriesAndTimezones from "countries-and-timezones";

import { offsetOfZone, QUARTER_HOUR_MS } from "@/lib/platform/time-zones";
import type { Clock } from "./domain/rule";

/** Cache for the current quarter of an hour. */
const known = { quarter: 0, ofCountry: new Map<string, readonly number[]>() };

/** UTC offsets of all zones of a country at a time, ascending. */
export function offsetsOfCountry(countryCode: string, at: Date): readonly number[] {
  const quarter = Math.floor(at.getTime() / QUARTER_HOUR_MS);
  if (quarter !== known.quarter) known.ofCountry.clear();
  known.quarter = quarter;
  const kept = known.ofCountry.get(countryCode);
  if (kept) return kept;
  const zones = countriesAndTimezones.getTimezonesForCountry(countryCode, { deprecated: false }) ?? [];
  const offsets = zones.flatMap(({ name }) => offsetOfZone(name, at) ?? []);
  const distinct = [...new Set(offsets)].sort((a, b) => a - b);
  known.ofCountry.set(countryCode, distinct);
  return distinct;
}

/** The browser's clock as reported. */
export type BrowserClock = {
  timeZone?: string | undefined;
  /** As in `Date.prototype.getTimezoneOffset`: minutes, positive west of Greenwich. */
  offsetMinutes?: number | undefined;
  /** Whether the browser's privacy protection hides the system's zone. */
  isHidden: boolean;
};

/** Zones that servers and privacy-conscious users set regardless of where they are. */
const UTC_ZONES = /^(?:Etc\/)?(?:UTC|GMT(?:[+-]?0)?|UCT|Universal|Zulu|Greenwich)$/i;
const MAX_OFFSET_MINUTES = 14 * 60;

/** Compares the browser's clock with those of a country. Undefined if there is nothing to compare. */
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
