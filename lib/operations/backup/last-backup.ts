import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

import { codeOf } from "@/db/failures";
import { env } from "@/lib/platform/env";
import { backupsUntil, lastSlot } from "./domain/schedule";

/** Maximum duration of a backup before it counts as missing. */
const GRACE_MS = 2 * 3_600_000;

export type LastBackup = {
  file: string;
  ageSeconds: number;
  bytes: number;
  /** Whether it was started at or after the last time at which a backup was due. */
  ok: boolean;
};

export const backupSchedule = () => ({ everyHours: env.BACKUP_EVERY_HOURS, hour: env.BACKUP_HOUR });

/**
 * Lists a folder's backups by name, newest first; empty if the folder does not exist.
 *
 * @throws the system's error if it cannot be read
 */
export async function listBackups(folder: string, now: Date): Promise<{ name: string; at: Date }[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
  return backupsUntil(now, names);
}

/**
 * Finds the newest backup in `BACKUP_DIR`, without using the database; "none" if there is none yet, "unreadable"
 * if the folder cannot be read, undefined if no backups are configured. Several replicas must share the folder.
 */
export async function lastBackup(
  now = new Date(),
  folder: string | undefined = env.BACKUP_DIR,
): Promise<LastBackup | "none" | "unreadable" | undefined> {
  if (folder === undefined) return undefined;
  const backups = await listBackups(resolve(folder), now).catch(() => undefined);
  if (!backups) return "unreadable";
  const [newest] = backups;
  if (!newest) return "none";
  const file = join(resolve(folder), newest.name);
  const bytes = (await stat(file).catch(() => undefined))?.size ?? 0;
  const due = lastSlot(new Date(now.getTime() - GRACE_MS), backupSchedule());
  return { file, ageSeconds: Math.round((now.getTime() - newest.at.getTime()) / 1000), bytes, ok: newest.at >= due };
}
