import { HOUR_MS } from "@/lib/platform/calendar";

const NAME = /^imprint-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.backup$/;

/** `imprint-20261123T030000Z.backup` */
export const backupName = (at: Date): string => `imprint-${at.toISOString().replaceAll(/[-:]|\.\d+/g, "")}.backup`;

/** Start time of a backup, from its name; undefined for other files. */
export function backupTime(name: string): Date | undefined {
  const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
  if (year === undefined) return undefined;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

type Schedule = { everyHours: number; hour: number };

/**
 * The last time before `now` at which a backup should have started: every `everyHours`, counted from an hour in UTC.
 */
export function lastSlot(now: Date, { everyHours, hour }: Schedule): Date {
  const [every, offset] = [everyHours * HOUR_MS, hour * HOUR_MS];
  return new Date(Math.floor((now.getTime() - offset) / every) * every + offset);
}

/** Whether a backup is due: none was started since the last slot. */
export const isDue = (newest: Date | undefined, now: Date, schedule: Schedule): boolean =>
  newest === undefined || newest < lastSlot(now, schedule);

/** Tolerated clock adjustment. A backup dated further in the future was written while the clock was wrong. */
const CLOCK_MS = HOUR_MS;

/**
 * The backups among `names`, newest first. Future ones are ignored: one would count as every due backup until its time
 * comes, and outlive each new one.
 */
export const backupsUntil = (now: Date, names: readonly string[]): { name: string; at: Date }[] =>
  names
    .flatMap((name) => {
      const at = backupTime(name);
      return at && at.getTime() <= now.getTime() + CLOCK_MS ? [{ name, at }] : [];
    })
    .sort((a, b) => b.at.getTime() - a.at.getTime());
