import { offsetOfZone } from "@/lib/platform/time-zones";
import type { Rule } from "../rule";
import { groupValue } from "../visit";

/** Zones occasionally change by an hour, and old devices learn of it late. */
const LIMITS = { oldDataMinutes: 60 };

/** A year in which both seasons of every zone are in the past. Zone rules seldom change. */
const YEAR = 2026;
const JANUARY = new Date(Date.UTC(YEAR, 0, 1, 12));
const JULY = new Date(Date.UTC(YEAR, 6, 1, 12));

/** The time zone's name and the clock must have the same offset, or one of them was changed. */
export const environmentTimeZone: Rule = {
  id: "environment.time-zone",
  reason: "ENVIRONMENT_INCONSISTENT",
  source: "IANA time zone database, ECMA-402",
  harmlessCauses: ["An extension that changes the time zone", "A device that has not been updated for years"],
  explainedBy: ["tor", "gecko-rfp"],
  limits: LIMITS,
  check({ signals }, _identity, _profile, limits) {
    const { oldDataMinutes } = { ...LIMITS, ...limits };
    const { timeZone, january, july } = groupValue(signals, "timezone") ?? {};
    if (timeZone === undefined || january === undefined || july === undefined) return undefined;
    const winter = offsetOfZone(timeZone, JANUARY);
    const summer = offsetOfZone(timeZone, JULY);
    if (winter === undefined || summer === undefined) return undefined;
    const isFar = (east: number, west: number) => Math.abs(east + west) > oldDataMinutes;
    if (!isFar(winter, january) || !isFar(summer, july)) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The offset of the browser's clock does not match the time zone that it names.",
      compared: [
        { label: "Time zone", value: timeZone, isOdd: true },
        {
          label: "Minutes west of Greenwich in that zone, January and July",
          value: `${0 - winter}, ${0 - summer}`,
          isOdd: false,
        },
        { label: "Minutes west of Greenwich by the clock", value: `${january}, ${july}`, isOdd: false },
      ],
    };
  },
};
