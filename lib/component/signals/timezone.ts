import { attempt, number, text } from "../read";

declare const Temporal: { Now: { timeZoneId: () => string } };

/** Temporal where there is one: the first use of Intl.DateTimeFormat on a page takes tens of milliseconds. */
const zoneName = () => attempt(() => Temporal.Now.timeZoneId()) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Named zone and offsets. Browsers that resist tracking report UTC or Reykjavik. */
export const readTimezone = () => {
  const now = new Date();
  const offset = (month: number) => number(new Date(now.getFullYear(), month).getTimezoneOffset());
  return {
    timeZone: text(zoneName()),
    january: offset(0),
    july: offset(6),
    now: number(now.getTimezoneOffset()),
  };
};
