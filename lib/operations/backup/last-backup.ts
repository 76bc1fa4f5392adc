import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

import { env } from "@/lib/platform/env";
import { backupsUntil, lastSlot } from "./domain/schedule";

/** A backup that began at its time may take this long before it counts as missing. */
const GRACE_MS = 2 * 3_600_000;

export type LastBackup = {
  file: string;
  ageSeconds: number;
  bytes: number;
  /** Whether it is the one of the last time at which one was due. */
  ok: boolean;
};

export const rhythm = () => ({ everyHours: env.BACKUP_EVERY_HOURS, hour: env.BACKUP_HOUR });

/** The backups of a folder by their names, the newest first; none when there is no such folder. */
export const listBackups = async (folder: string, now: Date): Promise<{ name: string; at: Date }[]> =>
  backupsUntil(now, await readdir(folder).catch(() => []));

/**
 * The newest backup in `BACKUP_DIR`, which needs no database; "none" when there is none yet, and undefined when the
 * service is not set to write any. With several replicas the folder has to be one that all of them see.
 */
export async function lastBackup(
  now = new Date(),
  folder: string | undefined = env.BACKUP_DIR,
): Promise<LastBackup | "none" | undefined> {
  if (folder === undefined) return undefined;
  const [newest] = await listBackups(resolve(folder), now);
  if (!newest) return "none";
  const file = join(resolve(folder), newest.name);
  const bytes = (await stat(file).catch(() => undefined))?.size ?? 0;
  const due = lastSlot(new Date(now.getTime() - GRACE_MS), rhythm());
  return { file, ageSeconds: Math.round((now.getTime() - newest.at.getTime()) / 1000), bytes, ok: newest.at >= due };
}
