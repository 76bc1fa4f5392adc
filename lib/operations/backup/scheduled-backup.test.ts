import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { whyUnwritable } from "./backup-folder";
import { backupName } from "./domain/schedule";
import { lastBackup } from "./last-backup";
import { runScheduledBackup } from "./scheduled-backup";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "imprint-schedule-")), "backups");
});
afterEach(() => {
  rmSync(join(folder, ".."), { recursive: true });
});

const now = new Date("2026-11-23T12:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const never = new AbortController().signal;

/** Replaces the admin command; a test of the whole service runs the real one. */
const program = (code: string) => [process.execPath, "-e", code, "--"];
const writing = () => program('require("node:fs").writeFileSync(process.argv.at(-1), "new")');

test("a due backup is written into a private folder, and surplus backups are deleted", async () => {
  mkdirSync(folder);
  const old = Array.from({ length: 9 }, (_, index) => backupName(hoursAgo(24 * (index + 1))));
  for (const name of [...old, "notes.txt"]) writeFileSync(join(folder, name), "old");
  const [stale, fresh] = ["imprint-1.backup.7.part", "imprint-2.backup.8.part"];
  for (const name of [stale, fresh]) writeFileSync(join(folder, name), "");
  utimesSync(join(folder, stale), hoursAgo(25), hoursAgo(25));
  expect(await runScheduledBackup({ now, signal: never, folder, program: writing() })).toBe(true);
  expect(readdirSync(folder).sort()).toEqual([backupName(now), ...old.slice(0, 6), "notes.txt", fresh].sort());
  expect(await runScheduledBackup({ now, signal: never, folder, program: program("process.exit(1)") })).toBe(false);
});

test("a backup dated in the future by a wrong clock does not count as a due one and displaces none", async () => {
  mkdirSync(folder);
  const future = Array.from({ length: 8 }, (_, index) => backupName(hoursAgo(-24 * 365 - index)));
  const past = backupName(hoursAgo(33));
  for (const name of [...future, past]) writeFileSync(join(folder, name), "old");
  expect(await lastBackup(now, folder)).toMatchObject({ ageSeconds: 33 * 3600, ok: false });
  expect(await runScheduledBackup({ now, signal: never, folder, program: writing() })).toBe(true);
  expect(readdirSync(folder).sort()).toEqual([past, backupName(now), ...future].sort());
  expect(await runScheduledBackup({ now, signal: never, folder, program: writing() })).toBe(false);
});

test("the folder is created private", async () => {
  await runScheduledBackup({ now, signal: never, folder, program: writing() });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("a failed backup is reported with its reason, and deletes none", async () => {
  mkdirSync(folder);
  const old = Array.from({ length: 9 }, (_, index) => backupName(hoursAgo(24 * (index + 1))));
  for (const name of old) writeFileSync(join(folder, name), "old");
  const failing = program("console.error('backup: x'); console.error('the disk is full'); process.exit(1)");
  await expect(runScheduledBackup({ now, signal: never, folder, program: failing })).rejects.toThrow(
    "the disk is full",
  );
  const told = program(
    'console.error(JSON.stringify({ error: { code: "conflict", message: "No space." } })); process.exit(1)',
  );
  await expect(runScheduledBackup({ now, signal: never, folder, program: told })).rejects.toThrow(/^No space\.$/);
  await expect(runScheduledBackup({ now, signal: never, folder, program: ["/nowhere"] })).rejects.toThrow("ENOENT");
  expect(readdirSync(folder)).toHaveLength(9);
});

test("what a killed backup has left is removed before it can fill the disk for all later ones", async () => {
  mkdirSync(folder);
  const [stale, fresh] = ["imprint-1.backup.7.part", "imprint-2.backup.8.part"];
  for (const name of [stale, fresh]) writeFileSync(join(folder, name), "");
  utimesSync(join(folder, stale), hoursAgo(25), hoursAgo(25));
  await expect(
    runScheduledBackup({ now, signal: never, folder, program: program("process.exit(1)") }),
  ).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([fresh]);
});

test("a folder in which no backup can be written is refused by the name of its variable, with the reason", async () => {
  writeFileSync(folder, "");
  const below = join(folder, "backups");
  const running = runScheduledBackup({ now, signal: never, folder: below, program: writing() });
  await expect(running).rejects.toMatchObject({
    name: "BackupFailed",
    message: `BACKUP_DIR ${below} cannot be used: ENOTDIR. Set it to a folder on a mounted disk with free space, in which the user of the service may create files.`,
  });
  expect(whyUnwritable(below)).toBe("ENOTDIR");
  expect(whyUnwritable(join(folder, "..", "not-yet", "made"))).toBeUndefined();
});

test("a running backup is stopped with the service", async () => {
  const stopping = new AbortController();
  const running = runScheduledBackup({
    now,
    signal: stopping.signal,
    folder,
    program: program("setTimeout(() => undefined, 60_000)"),
  });
  setTimeout(() => {
    stopping.abort();
  }, 50);
  await expect(running).rejects.toThrow("stopped");
});

test("the last backup is reported with its age and size, and whether one is missing", async () => {
  expect(await lastBackup(now, undefined)).toBeUndefined();
  expect(await lastBackup(now, folder)).toBe("none");
  writeFileSync(folder, "");
  expect(await lastBackup(now, folder)).toBe("unreadable");
  rmSync(folder);
  mkdirSync(folder);
  writeFileSync(join(folder, backupName(hoursAgo(33))), "12345");
  expect(await lastBackup(now, folder)).toMatchObject({ ageSeconds: 33 * 3600, bytes: 5, ok: false });
  writeFileSync(join(folder, backupName(hoursAgo(8))), "123");
  expect(await lastBackup(now, folder)).toMatchObject({ ageSeconds: 8 * 3600, bytes: 3, ok: true });
  // Half an hour after the scheduled time, yesterday's backup is still fine: today's may be running.
  expect(await lastBackup(new Date("2026-11-24T03:30:00Z"), folder)).toMatchObject({ ok: true });
  expect(await lastBackup(new Date("2026-11-24T05:30:00Z"), folder)).toMatchObject({ ok: false });
});
