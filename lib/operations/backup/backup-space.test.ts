import { randomBytes } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { migrateDatabase } from "@/db/migrate";
import { createDatabase } from "@/test/database";
import { writeArchive } from "./archive-writer";
import { createSpaceCheck, lastSize } from "./backup-space";
import { backupName } from "./domain/schedule";
import type { Encryption } from "./encryption";
import { makeMigrations, SILENT } from "./testing";
import { writeBackup } from "./write-backup";

const HOUR_MS = 3_600_000;
const MEBIBYTE = 1024 * 1024;

let folder: string;
let databaseFolder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "imprint-space-"));
  databaseFolder = join(folder, "postgres");
  mkdirSync(databaseFolder);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const freeBytes = () => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

test("a disk without room for a backup as large as the last one is named, with what to do", async () => {
  const [last, older] = [1, 2].map((hours) => join(folder, backupName(new Date(Date.now() - hours * HOUR_MS))));
  for (const file of [last, older]) writeFileSync(file ?? "", "old");
  const check = createSpaceCheck({ folder, database: undefined });
  await check({ lastBytes: await lastSize(folder) });
  // Takes no space, but is larger than what is free.
  truncateSync(last ?? "", freeBytes());
  await expect(check({ lastBytes: await lastSize(folder) })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringMatching(
      /^\S+ has \d+ MB free, and the last backup took \d+ MB: no backup was written, and none was deleted\. Free space there, lower BACKUP_KEEP and delete old backups, or write it to another disk with --to or BACKUP_DIR\.$/,
    ) as string,
  });
});

test("a database on the same disk keeps room for its log; one on another disk does not count", async () => {
  const needed = 2 * freeBytes();
  const shared = createSpaceCheck({ folder, database: { folder: databaseFolder, logBytes: needed } });
  await expect(shared({})).rejects.toThrow(/ MB have to stay free for the database on the same disk: no backup/);
  await createSpaceCheck({ folder, database: { folder: databaseFolder, logBytes: 1 } })({});
  const readDisk = (path: string) => Promise.resolve({ device: path === folder ? 1 : 2, freeBytes: 0 });
  await createSpaceCheck({ folder, database: { folder: databaseFolder, logBytes: needed }, readDisk })({});
});

test("a disk that cannot be measured refuses nothing", async () => {
  const readDisk = () => Promise.reject(new Error("ENOSYS"));
  await createSpaceCheck({ folder, database: { folder, logBytes: 1e9 }, readDisk })({ lastBytes: 1e9 });
  await createSpaceCheck({ folder: join(folder, "none"), database: { folder, logBytes: 1e9 } })({ lastBytes: 1e9 });
});

test.each<Encryption>([{ kind: "none" }, { kind: "passphrase", passphrase: "correct horse" }])(
  "a backup ($kind) ends before it takes the space that the database needs, and leaves nothing",
  async (encryption) => {
    const [diskBytes, logBytes] = [100 * MEBIBYTE, 80 * MEBIBYTE];
    let largest = 0;
    const readDisk = () => {
      const written = readdirSync(folder)
        .filter((name) => name.endsWith(".part"))
        .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
      largest = Math.max(largest, written);
      return Promise.resolve({ device: 1, freeBytes: diskBytes - written });
    };
    const checkSpace = createSpaceCheck({ folder, database: { folder: databaseFolder, logBytes }, readDisk });
    const target = { file: join(folder, "a.backup"), encryption, signal: undefined };
    const writing = writeArchive({ ...target, checkSpace }, async (archive) => {
      for (let entry = 0; entry < 60; entry += 1)
        await archive.add(`${entry}`, randomBytes(MEBIBYTE).toString("latin1"));
    });
    await expect(writing).rejects.toThrow(
      / has \d+ MB free after the first \d+ MB of the backup, and 84 MB have to stay free for the database/,
    );
    expect(largest).toBeGreaterThan(16 * MEBIBYTE);
    expect(largest).toBeLessThan(32 * MEBIBYTE);
    expect(readdirSync(folder)).toEqual(["postgres"]);
  },
);

test("a backup without room is refused before its first row is read", async () => {
  const databaseUrl = await createDatabase(`space_${randomBytes(8).toString("hex")}`);
  const migrationsFolder = makeMigrations("create table small (id int);");
  await migrateDatabase(databaseUrl, migrationsFolder);
  const last = join(folder, backupName(new Date(Date.now() - HOUR_MS)));
  writeFileSync(last, "");
  truncateSync(last, freeBytes());
  const secrets = { AUTH_SECRET: "a".repeat(32), KEY_PEPPER: "k1:AAAA", KEKS: "k1:BBBB" };
  const encryption: Encryption = { kind: "none" };
  const writing = writeBackup({
    databaseUrl,
    file: join(folder, "a.backup"),
    version: "1",
    migrationsFolder,
    secrets,
    encryption,
    progress: SILENT,
    databaseFolder,
  });
  await expect(writing).rejects.toThrow(/the last backup took \d+ MB, and .* on the same disk: no backup was written/);
});
