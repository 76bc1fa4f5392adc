import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { createDatabase } from "@/test/database";
import { TEST_SECRETS } from "../service";
import {
  databaseUrlOf,
  isRunning,
  launch,
  makeDataDir,
  postmasterOf,
  removeDataDir,
  runAdmin,
  startService,
  statusOf,
  stopService,
} from "./service";

/** Shared by all tests, which do not affect each other; creating one takes seconds. */
const dataDir = makeDataDir();
afterAll(() => {
  removeDataDir(dataDir);
});

async function runJson(...argv: string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await runAdmin(argv, { dataDir, byNpm: true });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  return JSON.parse(stdout) as Record<string, string>;
}

async function statusWithKey(url: string, key: string): Promise<number> {
  const address = `${url}/api/v1/fingerprint/report/imp_${"0".repeat(32)}`;
  return (await fetch(address, { headers: { "X-API-Key": key } })).status;
}

test("a workspace, Web App and key created while the service runs work immediately and after a restart; a login link leads to it; a service with other secrets does not start on its database", async () => {
  const service = await startService({ dataDir });
  const postmaster = postmasterOf(dataDir);
  const { workspace_id: workspaceId = "" } = await runJson("workspace", "create", "--name", "Acme");
  const webApp = await runJson(
    ...["web-app", "create", "--workspace", workspaceId, "--name", "Shop", "--origin", "https://shop.example"],
  );
  const { api_key: apiKey = "" } = await runJson("key", "create", "--workspace", workspaceId, "--name", "second");
  expect(webApp["environment_id"]).toMatch(/^env_[0-9a-f]{32}$/);
  // The key is known, the Report is not.
  expect(await statusWithKey(service.url, webApp["api_key"] ?? "")).toBe(404);
  expect(await statusWithKey(service.url, apiKey)).toBe(404);
  expect(await statusWithKey(service.url, `${apiKey.slice(0, -1)}${apiKey.endsWith("0") ? "1" : "0"}`)).toBe(401);
  expect(postmasterOf(dataDir)).toBe(postmaster);
  const invited = ["invitation", "create", "--workspace", workspaceId, "--role", "analyst", "--email"];
  expect((await runJson(...invited, "a@example.com"))["url"]).toMatch(new RegExp(`^${service.url}/join\\?token=`));

  const otherDir = makeDataDir();
  const used = { DATABASE_URL: databaseUrlOf(dataDir) };
  const newcomer = launch({ dataDir: otherDir, environment: used });
  expect(await newcomer.ended).toBe(1);
  expect(newcomer.output()).toContain("secrets.json does not exist");
  expect(existsSync(join(otherDir, "secrets.json"))).toBe(false);
  const stranger = launch({ dataDir: otherDir, environment: { ...used, ...TEST_SECRETS } });
  expect(await stranger.ended).toBe(1);
  expect(stranger.output()).toContain("is not the secret that this database was first used with");
  removeDataDir(otherDir);
  expect(await statusOf(`${service.url}/readyz`)).toBe(200);
  expect(await stopService(service)).toBe(0);
  expect(isRunning(postmaster)).toBe(false);

  const again = await startService({ dataDir });
  expect(await statusWithKey(again.url, apiKey)).toBe(404);
  expect(await stopService(again)).toBe(0);
});

test("with --json, settings that are not valid are reported as one object", async () => {
  const refused = await runAdmin(["workspace", "list"], { dataDir, environment: { PORT: "first" } });
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  const { error } = JSON.parse(refused.stderr) as { error: Record<string, string> };
  expect(error["code"]).toBe("service_unavailable");
  expect(error["message"]).toContain("PORT");
});

test("without a running service the command starts the database and stops it afterwards", async () => {
  const { workspace_id: first } = await runJson("workspace", "create", "--name", "Acme");
  expect(first).toMatch(/^ws_[0-9a-f]{32}$/);
  expect(existsSync(join(dataDir, "postgres/data/postmaster.pid"))).toBe(false);
  const { stdout } = await runAdmin(["workspace", "list"], { dataDir });
  expect(stdout).toContain(first);
  const invited = ["invitation", "create", "--workspace", first ?? "", "--role", "analyst", "--email"];
  expect((await runJson(...invited, "b@example.com"))["url"]).toMatch(/^http:\/\/localhost:3000\/join\?token=/);
});

test("a refusal exits 1 with the envelope on stderr and nothing on stdout", async () => {
  const { code, stdout, stderr } = await runAdmin(["key", "list", "--workspace", `ws_${"0".repeat(32)}`], { dataDir });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: "not_found" } });
  const nowhere = await runAdmin(["doctor", "--public", "nowhere"], { dataDir });
  expect({ code: nowhere.code, stdout: nowhere.stdout }).toEqual({ code: 1, stdout: "" });
  expect(JSON.parse(nowhere.stderr)).toMatchObject({ error: { code: "invalid_request" } });
});

test("a misspelled DATA_DIR is refused and nothing is created, with the embedded database and with an external one", async () => {
  const folder = makeDataDir();
  const nowhere = join(folder, "nowhere");
  const ofGiven = { DATABASE_URL: await createDatabase(`admin_${randomBytes(8).toString("hex")}`) };
  const commands = [["workspace", "list"], ["doctor"], ["secret", "rewrap"], ["log", "set", "--access"]];
  for (const argv of commands) {
    const { code, stdout, stderr } = await runAdmin(argv, { dataDir: nowhere });
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(nowhere);
  }
  const { stderr } = await runAdmin(["workspace", "list"], { dataDir: nowhere, environment: ofGiven });
  expect(stderr).toContain(`${join(nowhere, "secrets.json")} does not exist`);
  expect(existsSync(nowhere)).toBe(false);
  removeDataDir(folder);
});

test("a database that cannot start is reported with the reason", async () => {
  const environment = { PG_BIN_DIR: "/nowhere" };
  const { code, stderr } = await runAdmin(["workspace", "list"], { dataDir, environment });
  expect(code).toBe(1);
  expect(stderr).toContain("PG_BIN_DIR=/nowhere has no postgres");
});

test("only the migrate command migrates; others report missing migrations and change nothing", async () => {
  const environment = { DATABASE_URL: await createDatabase(`admin_${randomBytes(8).toString("hex")}`) };
  const refused = await runAdmin(["workspace", "list"], { dataDir, environment });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/lacks \d+ of this version's migrations, starting with 0000_core.* admin -- migrate/);
  const { stdout } = await runAdmin(["doctor"], { dataDir, environment });
  expect(stdout).toMatch(/\d+ of \d+ migrations are missing/);
  const migrated = await runAdmin(["migrate"], { dataDir, environment });
  expect(JSON.parse(migrated.stdout)).toMatchObject({ migrated: expect.arrayContaining(["0000_core"]) as string[] });
  expect(await runAdmin(["workspace", "list"], { dataDir, environment })).toMatchObject({ code: 0 });
});
