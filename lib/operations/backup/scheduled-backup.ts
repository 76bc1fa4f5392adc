import { spawn } from "node:child_process";
import { readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";

import { z } from "zod";

import { isAppError } from "@/lib/contract/errors";
import { bundleFolder, env } from "@/lib/platform/env";
import { linkSignals } from "@/lib/platform/link-signals";
import { log } from "@/lib/platform/log";
import { openBackupFolder } from "./backup-folder";
import { backupName, backupsUntil, isDue } from "./domain/schedule";
import { listBackups, backupSchedule } from "./last-backup";

const DRAFT = /^imprint-.*\.backup\.\d+\.part$/;
const DRAFT_MS = 24 * 3_600_000;
const LONGEST_MS = 12 * 3_600_000;

export type ScheduledRun = { now: Date; signal: AbortSignal; folder: string; program?: readonly string[] };

const failure = (message: string) => Object.assign(new Error(message), { name: "BackupFailed" });

const Refusal = z.object({ error: z.object({ message: z.string() }) });

/** The reason that the command gave: with `--json` an object, otherwise its last line. */
function reasonIn(printed: string): string {
  const last = printed.trim().split("\n").at(-1) || "the backup failed without a reason";
  try {
    return Refusal.parse(JSON.parse(last)).error.message;
  } catch {
    return last;
  }
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
    if (code !== 0) throw failure(reasonIn(err));
    return out;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function removeOld(folder: string, keep: number, now: Date): Promise<number> {
  const old = backupsUntil(now, await readdir(folder)).slice(keep);
  for (const { name } of old) await rm(join(folder, name), { force: true });
  return old.length;
}

/** Removes what killed processes have left, which could otherwise fill the disk for every later backup. */
async function removeDrafts(folder: string, now: Date): Promise<void> {
  for (const name of (await readdir(folder)).filter((each) => DRAFT.test(each))) {
    const file = join(folder, name);
    // A backup that runs elsewhere may complete its own meanwhile.
    const draft = await stat(file).catch(() => undefined);
    if (draft && now.getTime() - draft.mtimeMs > DRAFT_MS) await rm(file, { force: true });
  }
}

function openFolder(folder: string): string {
  try {
    return openBackupFolder(folder);
  } catch (error) {
    throw isAppError(error) ? failure(error.message) : error;
  }
}

/** Writes a backup if one is due, then deletes those beyond `BACKUP_KEEP`; returns whether one was written. */
export async function runScheduledBackup({ now, signal, folder, program }: ScheduledRun): Promise<boolean> {
  const target = openFolder(folder);
  const [newest] = await listBackups(target, now);
  if (!isDue(newest?.at, now, backupSchedule())) return false;
  await removeDrafts(target, now);
  const own = [process.execPath, join(resolve(bundleFolder()), "admin.mjs")];
  // Named by the same clock that determines what is due; with another, a backup could still be due after it was
  // written.
  const file = join(target, backupName(now));
  await runCommand(program ?? own, file, linkSignals(signal, AbortSignal.timeout(LONGEST_MS)).signal);
  const removed = await removeOld(target, env.BACKUP_KEEP, now);
  log.info({ folder: target, removed }, "a backup was written");
  return true;
}
