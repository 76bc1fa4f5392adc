import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import postgres from "postgres";
import { afterAll, expect, test } from "vitest";

import { DATABASE, readConnection, urlOf } from "@/db/embedded-connection";
import { makeDataDir, removeDataDir, runAdmin, startService, statusOf, stopService } from "./service";

const folder = makeDataDir();
const [dataDir, restored, scheduled] = ["data", "restored", "scheduled"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
afterAll(() => {
  removeDataDir(folder);
});

const environment = { BACKUP_PASSPHRASE: "correct horse battery", BACKUP_DIR: scheduled, BACKUP_KEEP: "1" };
const POLLING = { timeout: 60_000, interval: 200 };

async function run(argv: string[], options: { dataDir: string; environment?: Record<string, string> }) {
  const { code, stdout, stderr } = await runAdmin(argv, options);
  return { code, stderr, result: JSON.parse(stdout || "{}") as Record<string, unknown> };
}

test("a backup written by the service restores the whole installation, even after its disk is lost", async () => {
  const service = await startService({ dataDir, environment });
  const written = () =>
    existsSync(scheduled) ? readdirSync(scheduled).filter((name) => name.endsWith(".backup")) : [];
  await expect.poll(written, POLLING).toHaveLength(1);
  expect(statSync(scheduled).mode & 0o777).toBe(0o700);
  const made = await run(["workspace", "create", "--name", "Acme"], { dataDir });
  const workspace = ["--workspace", String(made.result["workspace_id"])];
  const app = ["web-app", "create", ...workspace, "--name", "Shop", "--origin", "https://shop.example"];
  const key = String((await run(app, { dataDir })).result["api_key"]);
  const file = join(folder, "now.backup");
  const backup = await run(["backup", "--to", file, "--verify"], { dataDir, environment });
  expect(backup).toMatchObject({ code: 0, result: { encrypted: true, verified: true, file } });
  // A program that reads JSON gets errors on stderr, as one object, and no progress before them.
  expect(backup.stderr).toBe("");
  expect(await stopService(service)).toBe(0);
  const secrets = readFileSync(join(dataDir, "secrets.json"), "utf8");
  removeDataDir(dataDir);

  const damaged = join(folder, "damaged.backup");
  const bytes = readFileSync(file);
  writeFileSync(damaged, bytes.subarray(0, bytes.length - 1));
  const refused = await run(["restore", "--from", damaged], { dataDir: restored, environment });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("not a complete Imprint backup");
  const back = await run(["restore", "--from", file, "--verify"], { dataDir: restored, environment });
  expect(back).toMatchObject({ code: 0, result: { restored: true, verified: true, next: "Start the service" } });
  expect(readFileSync(join(restored, "secrets.json"), "utf8")).toBe(secrets);
  const again = await startService({ dataDir: restored });
  const address = `${again.url}/api/v1/fingerprint/report/imp_${randomBytes(16).toString("hex")}`;
  expect((await fetch(address, { headers: { "X-API-Key": key } })).status).toBe(404);
  expect(await statusOf(`${again.url}/readyz`)).toBe(200);
  const occupied = await run(["restore", "--from", file], { dataDir: restored, environment });
  expect(occupied.stderr).toContain("already running");
  expect(await stopService(again)).toBe(0);
  const filled = await run(["restore", "--from", file], { dataDir: restored, environment });
  expect(filled.stderr).toContain("The database is not empty");
  rmSync(file);
});

test("a backup is refused without a passphrase, without an installation, and with other secrets", async () => {
  const to = ["backup", "--to", join(folder, "never.backup")];
  expect((await run(to, { dataDir: restored })).stderr).toContain("or use --unencrypted");
  const empty = await run([...to, "--unencrypted"], { dataDir: join(folder, "empty") });
  expect(empty.stderr).toContain("empty does not exist. If one is expected there, is its volume mounted?");
  const other = { KEY_PEPPER: `k1:${randomBytes(32).toString("base64")}` };
  const wrong = await run([...to, "--unencrypted"], { dataDir: restored, environment: other });
  expect(wrong.stderr).toContain("KEY_PEPPER (pepper:k1) is not the secret that this database was first used with");
  expect(readdirSync(folder).filter((name) => name.startsWith("never"))).toEqual([]);
});

test("a backup next to the embedded database, whose log may grow beyond what is free, is refused and leaves nothing", async () => {
  const service = await startService({ dataDir: restored });
  const connection = readConnection(restored);
  if (!connection) throw new Error("the data directory has no conn.json");
  const sql = postgres(urlOf(connection, DATABASE), { max: 1, fetch_types: false });
  await sql.unsafe("alter system set max_wal_size = '1000TB'").simple();
  await sql`select pg_reload_conf()`;
  const size = () => sql`select current_setting('max_wal_size') as value`;
  await expect.poll(size, POLLING).toEqual([{ value: "1000TB" }]);
  await sql.end();
  const file = join(folder, "beside.backup");
  const refused = await run(["backup", "--to", file], { dataDir: restored, environment });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("have to stay free for the database on the same disk: no backup was written");
  expect(readdirSync(folder).filter((name) => name.startsWith("beside"))).toEqual([]);
  expect(await stopService(service)).toBe(0);
});
