import { spawn } from "node:child_process";
import { readdir, rm, stat, statfs } from "node:fs/promises";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";

import { makeFolder } from "@/db/make-folder.mjs";
import { bundleFolder, env } from "@/lib/platform/env";
import { linkSignals } from "@/lib/platform/link-signals";
import { log } from "@/lib/platform/log";
import { backupName, backupsUntil, isDue } from "./domain/schedule";
import { listBackups, backupSchedule } from "./last-backup";

const DRAFT = /^imprint-.*\.backup\.\d+\.part$/;
const DRAFT_MS = 24 * 3_600_000;
const LONGEST_MS = 12 * 3_600_000;
/** Required free space, as a multiple of the last backup's size. */
const HEADROOM = 1.5;

export type ScheduledRun = { now: Date; signal: AbortSignal; folder: string; program?: readonly string[] };

const failure = (message: string) => Object.assign(new Error(message), { name: "BackupFailed" });

async function refuseFullDisk(folder: string, newest: string | undefined): Promise<void> {
  if (newest === undefined) return;
  const [{ size }, disk] = await Promise.all([stat(join(folder, newest)), statfs(folder)]);
  const free = disk.bavail * disk.bsize;
  if (free < size * HEADROOM)
    throw failure(
      `${folder} has ${Math.round(free / 1e6)} MB free, and the last backup took ${Math.round(size / 1e6)} MB`,
    );
}

/** A separate process, so that a backup's computation delays no request and its memory is released. */
async function runCommand(program: readonly string[], file: string, signal: AbortSignal): Promise<string> {
  const [command = "", ...args] = program;
  const child = spawn(command, [...args, "backup", "--json", "--to", file], { stdio: ["ignore", "pipe", "pipe"] });
  const stop = () => child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  try {
    const ended = new Promise<number | null>((settle, reject) => {
      child.once("error", reject).once("close", settle);
    });
    const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    if (signal.aborted) throw failure("the backup was stopped");
    if (code !== 0) throw failure(err.trim().split("\n").at(-1) ?? "the backup failed");
    return out;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function removeOld(folder: string, keep: number, now: Date): Promise<string[]> {
  const names = await readdir(folder);
  const old = backupsUntil(now, names)
    .slice(keep)
    .map(({ name }) => name);
  for (const name of names.filter((each) => DRAFT.test(each))) {
    const { mtimeMs } = await stat(join(folder, name));
    if (now.getTime() - mtimeMs > DRAFT_MS) old.push(name);
  }
  for (const name of old) await rm(join(folder, name), { force: true });
  return old;
}

/** Writes a backup if one is due, then deletes those beyond `BACKUP_KEEP`; returns whether one was written. */
export async function runScheduledBackup({ now, signal, folder, program }: ScheduledRun): Promise<boolean> {
  const target = resolve(folder);
  makeFolder(target, 0o700);
  const [newest] = await listBackups(target, now);
  if (!isDue(newest?.at, now, backupSchedule())) return false;
  await refuseFullDisk(target, newest?.name);
  const own = [process.execPath, join(resolve(bundleFolder()), "admin.mjs")];
  // Named by the same clock that determines what is due; with another, a backup could still be due after it was
  // written.
  const file = join(target, backupName(now));
  await runCommand(program ?? own, file, linkSignals(signal, AbortSignal.timeout(LONGEST_MS)).signal);
  const removed = await removeOld(target, env.BACKUP_KEEP, now);
  log.info({ folder: target, removed: removed.length }, "a backup was written");
  return true;
}
