import { counted } from "./counted";
import { UTC, wallClock, zoneText } from "./zone";

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Number of days beyond which a date replaces the relative time. */
const RELATIVE_DAYS = 30;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (value: number) => String(value).padStart(2, "0");

/** `21 Nov 2026` */
const utcDate = (at: Date): string => `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()] ?? ""} ${at.getUTCFullYear()}`;

/** `21 Nov 2026, 07:12:04 UTC`, or in the local time of `zone`: `…, 08:12:04 UTC+1` */
export function instantText(at: Date, zone = UTC): string {
  const wall = wallClock(at, zone);
  const time = [wall.getUTCHours(), wall.getUTCMinutes(), wall.getUTCSeconds()].map(two).join(":");
  return `${utcDate(wall)}, ${time} ${zoneText(at, zone)}`;
}

/** `21 Nov 2026`, on the calendar of `zone` */
export const dateText = (at: Date, zone = UTC): string => utcDate(wallClock(at, zone));

/** `08:00`, in the local time of `zone` */
export const hourText = (at: Date, zone = UTC): string => utcHour(wallClock(at, zone));

/** `07:00` */
const utcHour = (at: Date): string => `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;

/** `4 min ago`, `in 3 days`; the date beyond a month. */
export function relativeTime(at: Date, now: Date, zone = UTC): string {
  const seconds = Math.round((now.getTime() - at.getTime()) / 1000);
  const distance = Math.abs(seconds);
  if (distance > RELATIVE_DAYS * DAY_SECONDS) return dateText(at, zone);
  const text =
    distance < MINUTE_SECONDS
      ? counted(distance, "second")
      : distance < HOUR_SECONDS
        ? `${Math.floor(distance / MINUTE_SECONDS)} min`
        : distance < DAY_SECONDS
          ? counted(Math.floor(distance / HOUR_SECONDS), "hour")
          : counted(Math.floor(distance / DAY_SECONDS), "day");
  if (distance < 2) return "just now";
  return seconds > 0 ? `${text} ago` : `in ${text}`;
}
