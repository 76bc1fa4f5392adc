const HOUR_MS = 3_600_000;
const NAME = /^imprint-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.backup$/;

/** `imprint-20261123T030000Z.backup` */
export const backupName = (at: Date): string => `imprint-${at.toISOString().replaceAll(/[-:]|\.\d+/g, "")}.backup`;

/** When a backup was begun, by its name; undefined for a file that is none. */
export function backupTime(name: string): Date | undefined {
  const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
  if (year === undefined) return undefined;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

type Rhythm = { everyHours: number; hour: number };

/** The last time before `now` at which a backup should have begun: every so many hours, counted from an hour of UTC. */
export function lastSlot(now: Date, { everyHours, hour }: Rhythm): Date {
  const [every, offset] = [everyHours * HOUR_MS, hour * HOUR_MS];
  return new Date(Math.floor((now.getTime() - offset) / every) * every + offset);
}

/** Whether a backup is due: none was begun since the last slot. */
export const isDue = (newest: Date | undefined, now: Date, rhythm: Rhythm): boolean =>
  newest === undefined || newest < lastSlot(now, rhythm);

/** A clock may be put back by this much; a backup from later than that was written while it was wrong. */
const CLOCK_MS = HOUR_MS;

/**
 * The backups among `names`, the newest first. Those from the future are none of them: one would stand for all that are
 * due until its time comes, and outlive each new one.
 */
export const backupsUntil = (now: Date, names: readonly string[]): { name: string; at: Date }[] =>
  names
    .flatMap((name) => {
      const at = backupTime(name);
      return at && at.getTime() <= now.getTime() + CLOCK_MS ? [{ name, at }] : [];
    })
    .sort((a, b) => b.at.getTime() - a.at.getTime());
