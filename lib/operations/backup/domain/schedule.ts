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

/** Backups beyond the newest `keep`, by their names; other files are never among them. */
export const surplus = (names: readonly string[], keep: number): string[] =>
  names
    .filter((name) => backupTime(name) !== undefined)
    .sort()
    .reverse()
    .slice(keep);
