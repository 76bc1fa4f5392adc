import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { migrateDatabase } from "@/db/migrate";
import { createDatabase } from "@/test/database";
import { connectForBackup } from "./queries-snapshot";
import { query } from "@/scripts/common/connection";
import { makeMigrations, SILENT } from "./testing";
import { writeBackup } from "./write-backup";

const folder = mkdtempSync(join(tmpdir(), "imprint-write-backup-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const name = `priority_${randomBytes(8).toString("hex")}`;
const migrationsFolder = makeMigrations("create table visits (id int);");
let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = await createDatabase(name);
  await migrateDatabase(databaseUrl, migrationsFolder);
  await query(databaseUrl, "insert into visits select n from generate_series(1, 1000) n");
});

/** Nice values of the database server's processes that serve this file's database. */
const priorities = () =>
  execFileSync("ps", ["-eo", "ni=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("postgres: ") && line.includes(name))
    .map((line) => Number.parseInt(line, 10));

async function prioritiesDuringBackup(embedded: { databaseFolder?: string }): Promise<number[]> {
  const seen = new Set<number>();
  await writeBackup({
    databaseUrl,
    file: join(folder, `${randomBytes(8).toString("hex")}.backup`),
    version: "1",
    migrationsFolder,
    secrets: { AUTH_SECRET: "a".repeat(32), KEY_PEPPER: "k1:AAAA", KEKS: "k1:BBBB" },
    encryption: { kind: "none" },
    progress: {
      ...SILENT,
      at: () => {
        for (const nice of priorities()) seen.add(nice);
      },
    },
    ...embedded,
  });
  return [...seen];
}

test("the embedded server's process that reads a backup yields to those that answer requests", async () => {
  expect(await prioritiesDuringBackup({ databaseFolder: folder })).toEqual([constants.priority.PRIORITY_LOW]);
});

test("the process of a server elsewhere, whose number may be another's here, is left alone", async () => {
  const client = connectForBackup(databaseUrl);
  await client`select 1`;
  const [usual, ...others] = priorities();
  await client.end();
  expect(others).toEqual([]);
  expect(await prioritiesDuringBackup({})).toEqual([usual]);
});
