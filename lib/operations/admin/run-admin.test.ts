import { join } from "node:path";

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { connect } from "@/db/client";
import { createTestDatabase } from "@/test/database";
import { authenticateApiKey } from "@/lib/tenancy/api-keys";
import { insertTestDevice } from "@/test/devices";
import { ERRORS } from "@/lib/contract/errors";
import { resolveEnvironment } from "@/lib/tenancy/web-apps";
import { COMMANDS } from "./commands";
import { runAdmin } from "./index";

const { db } = await createTestDatabase();

async function run(line: string | string[], database = db) {
  const written = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) });
  const code = await runAdmin(typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line, {
    migrationsFolder: join(process.cwd(), "db/migrations"),
    openDatabase: () => Promise.resolve(database),
    stdout: sink("stdout"),
    stderr: sink("stderr"),
  });
  return { code, ...written };
}

/** Parses the single-line JSON object that a command prints. */
async function json(line: string | string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await run(typeof line === "string" ? `${line} --json` : [...line, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout) as Record<string, string>;
}

async function newWebApp() {
  const { workspace_id: workspace = "" } = await json("workspace create --name Acme");
  const webApp = await json(`web-app create --workspace ${workspace} --name Shop --origin https://shop.example`);
  return { workspace, webApp: webApp["web_app_id"] ?? "", ...webApp };
}

test("a device is deleted by its id, once", async () => {
  const { workspace } = await newWebApp();
  const device = await insertTestDevice(db, workspace);
  const command = `device delete --workspace ${workspace} --device ${device}`;
  expect(await json(command)).toEqual({ device_id: device, deleted_visits: 0 });
  const again = await run(`${command} --json`);
  expect(again.code).toBe(1);
  expect(JSON.parse(again.stderr)).toMatchObject({ error: { code: "not_found" } });
});

test("a new workspace, Web App and key work immediately", async () => {
  const created = await json("workspace create --name Acme --plan lite");
  expect(Object.keys(created)).toEqual(["workspace_id", "plan"]);
  const webApp = await json([
    "web-app",
    "create",
    "--workspace",
    created["workspace_id"] ?? "",
    "--name",
    "My shop",
    "--origin",
    "https://a.example",
    "--origin=https://b.example",
  ]);
  expect(Object.keys(webApp)).toEqual(["web_app_id", "environment_id", "key_id", "api_key"]);
  expect(await authenticateApiKey(db, webApp["api_key"] ?? "")).toMatchObject({
    workspaceId: created["workspace_id"],
    plan: "lite",
  });
  const environment = await resolveEnvironment(db, webApp["environment_id"] ?? "");
  expect(environment?.origins.sort()).toEqual(["https://a.example", "https://b.example"]);
});

test("origins are added and removed by Web App id alone; an invalid origin is explained and nothing is added", async () => {
  const { webApp } = await newWebApp();
  expect(
    await json(`origin add --web-app ${webApp} --origin https://b.example --origin https://shop.example`),
  ).toMatchObject({
    added: ["https://b.example"],
    already_listed: ["https://shop.example"],
  });
  const refused = await run(
    `origin add --web-app ${webApp} --origin https://c.example --origin https://d.example/x --json`,
  );
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(JSON.parse(refused.stderr)).toEqual({
    error: { code: "invalid_origin", message: expect.stringContaining("Did you mean https://d.example?") as string },
  });
  await json(`origin remove --web-app ${webApp} --origin https://shop.example`);
  expect(await json(`origin list --web-app ${webApp}`)).toMatchObject({ origins: ["https://b.example"] });
});

test("a Web App is paused, resumed and archived", async () => {
  const { webApp } = await newWebApp();
  expect(await json(`web-app pause --web-app ${webApp}`)).toMatchObject({ state: "paused" });
  expect(await json(`web-app resume --web-app ${webApp}`)).toMatchObject({ state: "active" });
  expect(await json(`web-app archive --web-app ${webApp}`)).toMatchObject({ state: "archived" });
  expect(await run(`web-app resume --web-app ${webApp}`)).toMatchObject({ code: 1, stdout: "" });
});

test("keys are created, rotated, revoked and listed without their secrets", async () => {
  const { workspace } = await newWebApp();
  const key = await json(`key create --workspace ${workspace} --name server --expires 90d`);
  expect(Date.parse(key["expires_at"] ?? "") - Date.now()).toBeGreaterThan(89 * 86_400_000);
  const rotated = await json(`key rotate --workspace ${workspace} --key ${key["key_id"]} --overlap 0`);
  await expect(authenticateApiKey(db, key["api_key"] ?? "")).rejects.toMatchObject({ code: "auth_failed" });
  await json(`key revoke --workspace ${workspace} --key ${rotated["key_id"]}`);
  await expect(authenticateApiKey(db, rotated["api_key"] ?? "")).rejects.toMatchObject({ code: "auth_failed" });
  const { stdout } = await run(`key list --workspace ${workspace} --json`);
  expect(stdout).toContain(key["key_id"]);
  expect(stdout).not.toContain(key["api_key"]);
  expect(stdout).not.toContain(rotated["api_key"]);
});

test("an overlap can be ended early, a key's uses are listed, and a Web App can be renamed", async () => {
  const { workspace, webApp } = await newWebApp();
  const key = await json(`key create --workspace ${workspace} --name server`);
  const ofKey = `--workspace ${workspace} --key ${key["key_id"]}`;
  expect((await run(`key end-overlap ${ofKey} --json`)).stderr).toContain("conflict");
  await json(`key rotate ${ofKey} --overlap 7d`);
  expect(await json(`key end-overlap ${ofKey}`)).toMatchObject({ state: "revoked" });
  await expect(authenticateApiKey(db, key["api_key"] ?? "")).rejects.toMatchObject({ code: "auth_failed" });
  expect(await json(`key uses ${ofKey}`)).toEqual({ uses: [] });
  expect(await json(["web-app", "rename", "--web-app", webApp, "--name", "New shop"])).toEqual({
    web_app_id: webApp,
    name: "New shop",
  });
  expect((await run(`web-app list --workspace ${workspace}`)).stdout).toContain("New shop");
});

test("trial totals are listed by day, and a refund without a payment is refused", async () => {
  const quiet = expect.objectContaining({ paid: 0, failed: 0, refunded: 0 }) as unknown;
  expect(await json("trial totals --days 3")).toEqual({ days: [quiet, quiet, quiet], income: [] });
  expect((await run("trial totals --days 0 --json")).stderr).toContain("invalid_request");
  const refund = `trial note-refund --intent ati_${"0".repeat(32)} --transaction 0x${"0".repeat(64)}`;
  expect((await run(`${refund} --json`)).stderr).toContain("intent_not_found");
});

test("members are managed by email address, and a known person gets a sign-in link", async () => {
  const { workspace } = await newWebApp();
  await json(`member add --workspace ${workspace} --email Ada@example.com --role owner`);
  await json(`member add --workspace ${workspace} --email bob@example.com --role analyst --see-addresses yes`);
  await json(`member set-role --workspace ${workspace} --email bob@example.com --role developer`);
  const { stdout } = await run(`member list --workspace ${workspace}`);
  expect(stdout).toMatch(/ada@example\.com +owner +true/);
  expect(stdout).toMatch(/bob@example\.com +developer +false/);
  await json(`member remove --workspace ${workspace} --email bob@example.com`);
  expect(await run(`member remove --workspace ${workspace} --email ada@example.com`)).toMatchObject({
    code: 1,
    stdout: "",
  });
  expect((await json("login-link --email ada@example.com"))["url"]).toMatch(
    /^http:\/\/localhost:3000\/sign-in\/confirm\?token=/,
  );
  expect(await run("login-link --email nobody@example.com")).toMatchObject({ code: 1, stdout: "" });
});

test("people are invited by link, and can be signed out by an operator", async () => {
  const { workspace } = await newWebApp();
  const of = `--workspace ${workspace}`;
  const invited = await json(`invitation create ${of} --email Alan@example.com --role developer`);
  expect(invited["url"]).toMatch(/^http:\/\/localhost:3000\/join\?token=[\w-]{43}$/);
  const named = `${of} --invitation ${invited["invitation_id"] ?? ""}`;
  expect((await json(`invitation renew ${named}`))["url"]).not.toBe(invited["url"]);
  expect(await json(`invitation list ${of}`)).toMatchObject({ invitations: [{ email: "alan@example.com" }] });
  expect(await json(`invitation revoke ${named}`)).toMatchObject({ revoked: true });
  expect(await json(`invitation list ${of}`)).toEqual({ invitations: [] });

  await json(`member add ${of} --email alan@example.com --role analyst`);
  expect(await json("session list --email alan@example.com")).toEqual({ sessions: [] });
  expect(await json("session end --email alan@example.com")).toEqual({ ended: 0 });
  expect(await run("session list --email nobody@example.com")).toMatchObject({ code: 1, stdout: "" });
  expect(await run("sign-in unlink --email alan@example.com --provider oidc")).toMatchObject({ code: 1 });
  const renamed = await json(["workspace", "rename", ...of.split(" "), "--name", "New name"]);
  expect(renamed).toMatchObject({ name: "New name" });
});

test("everything stored about a device and an account is printed", async () => {
  const { workspace } = await newWebApp();
  const device = await insertTestDevice(db, workspace);
  const stored = await json(`device export --workspace ${workspace} --device ${device}`);
  expect(stored).toMatchObject({ device_id: device, stored_visits: [] });
  const account = await json(`account export --workspace ${workspace} --account-ref user-1`);
  expect(account).toMatchObject({ devices: [], visits: [], truncated: false });
});

test("a workspace's retention and Report view log can be set, and unused keys revoked", async () => {
  const of = `--workspace ${(await newWebApp()).workspace}`;
  const keptFor = (days: string) => json(`workspace set-retention ${of} --days ${days}`);
  expect(await keptFor("30")).toMatchObject({ retention_days: 30, kept_days: 30 });
  expect(await keptFor("instance")).toMatchObject({ retention_days: null, kept_days: 400 });
  expect(await run(`workspace set-retention ${of} --days soon`)).toMatchObject({ code: 1, stdout: "" });
  expect(await json(`workspace set-view-log ${of} --to on`)).toMatchObject({ logs_report_views: true });
  const { key_id: old = "" } = await json(`key create ${of} --name old`);
  await db.execute(sql`update api_keys set created_at = now() - interval '31 days' where key_id = ${old.slice(-32)}`);
  expect(await json(`key revoke-unused ${of}`)).toEqual({ revoked: [old] });
});

test("usage shows a workspace's units and calls, by default for the current month", async () => {
  const { workspace } = await newWebApp();
  const usage = (await json(`usage --workspace ${workspace}`)) as Record<string, unknown>;
  expect(usage).toMatchObject({
    month: { used: 0, limit: 500_000 },
    total: { units: 0, calls: 0, quota: 0 },
    keys: [],
  });
  const february = (await json(`usage --workspace ${workspace} --from 2028-02-01 --to 2028-02-29`)) as Record<
    string,
    unknown
  >;
  expect(february["range"]).toEqual({ from: "2028-02-01", to: "2028-02-29", days: 29 });
  expect((await run(`usage --workspace ${workspace} --from 2028-02-01 --to 2028-02-02`)).stdout).toMatch(
    /^2028-02-02 +0 /m,
  );
  expect((await run(`usage --workspace ${workspace} --from 2028-02-30 --to 2028-03-01`)).code).toBe(1);
});

test("the audit log names the operator and the change", async () => {
  const { workspace } = await newWebApp();
  await json(`workspace set-plan --workspace ${workspace} --plan enterprise`);
  const page = await json(`audit list --workspace ${workspace} --limit 1`);
  expect(page["entries"]).toMatchObject([
    { actor: "operator", action: "workspace.set_plan", detail: { from: "pro", to: "enterprise" } },
  ]);
  expect(page["next_cursor"]).toEqual(expect.any(String));
  const filtered = await json(
    `audit list --workspace ${workspace} --action api_key --actor operator --from 2026-01-01`,
  );
  expect(filtered["entries"]).toMatchObject([{ action: "api_key.create" }]);
  const [from, to] = ["2000-01-01", "2000-01-02"];
  expect(await json(`audit list --workspace ${workspace} --from ${from} --to ${to}`)).toMatchObject({ entries: [] });
  expect((await run(`audit list --workspace ${workspace} --to 2026-02-30`)).code).toBe(1);
});

test("doctor reports facts and fails if one of them fails", async () => {
  const failing = async () => {
    const { code, stdout } = await run("doctor --json");
    const told = JSON.parse(stdout) as { healthy: boolean; status: string; facts: { name: string; status: string }[] };
    expect([code, told.healthy, told.status]).toEqual([1, false, "fail"]);
    return told.facts.filter(({ status }) => status === "fail").map(({ name }) => name);
  };
  // The test server trades durability for speed.
  expect(await failing()).toEqual(["durability"]);
  await db.execute(sql`alter table visits rename to visits_away`);
  try {
    expect(await failing()).toEqual(expect.arrayContaining(["schema", "partitions"]));
  } finally {
    await db.execute(sql`alter table visits_away rename to visits`);
  }
});

test.each([
  ["workspace set-plan --workspace ws_1 --plan pro", "not_found"],
  [`workspace set-plan --workspace ws_${"0".repeat(32)} --plan pro`, "not_found"],
  ["web-app pause --web-app app_1", "not_found"],
  ["key list --workspace '--", "not_found"],
  ["workspace create --name=\u0007", "invalid_request"],
  [`key create --workspace ws_${"0".repeat(32)} --name x --expires soon`, "invalid_request"],
  ["audit list --limit 0", "invalid_request"],
  ["audit list --cursor nonsense", "invalid_request"],
])("%s is refused as %s, in the error envelope with --json", async (line, code) => {
  const refused = await run(`${line} --json`);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(JSON.parse(refused.stderr)).toEqual({ error: { code, message: expect.any(String) as string } });
  expect((await run(line)).stderr).toMatch(new RegExp(`^Refused \\(${code}\\): `));
});

test.each(["workspace create --name", "workspace create --name --json"])(
  "%s is a usage error with its own exit code, and changes nothing",
  async (line) => {
    const before = (await db.execute(sql`select 1 from workspaces`)).length;
    const outcome = await run(line);
    expect(outcome).toMatchObject({ code: 2, stdout: "" });
    const envelope =
      '{"error":{"code":"invalid_request","message":"option \'--name <NAME>\' argument \'--json\' is invalid.';
    expect(outcome.stderr).toContain(line.endsWith("--json") ? envelope : "argument missing");
    expect((await db.execute(sql`select 1 from workspaces`)).length).toBe(before);
  },
);

test("help lists every command, and every command's help lists its options, without a database", async () => {
  const none = connect({ url: "postgres://x@127.0.0.1:1/x", poolSize: 1, prepare: false, applicationName: "none" });
  const { code, stdout } = await run("--help", none.db);
  expect(code).toBe(0);
  for (const { name, summary, options } of COMMANDS) {
    expect(stdout).toContain(name);
    const help = await run(`${name} --help`, none.db);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    for (const text of [summary, "--json", ...Object.keys(options).map((option) => `--${option}`)])
      expect(help.stdout.replaceAll(/\s+/g, " ")).toContain(text);
  }
  await none.close();
});

test("an unavailable database is reported as such", async () => {
  const away = connect({ url: "postgres://x@127.0.0.1:1/x", poolSize: 1, prepare: false, applicationName: "away" });
  const refused = await run("workspace list --json", away.db);
  await away.close();
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: "service_unavailable" } });
});

test("an unexpected failure reveals nothing about the database", async () => {
  await db.execute(sql`alter table members rename to members_away`);
  try {
    const { workspace_id: workspace = "" } = await json("workspace create --name Acme");
    const refused = await run(`member list --workspace ${workspace} --json`);
    expect(JSON.parse(refused.stderr)).toEqual({
      error: { code: "internal_error", message: ERRORS.internal_error.message },
    });
  } finally {
    await db.execute(sql`alter table members_away rename to members`);
  }
});

test("a stored name cannot inject terminal escapes", async () => {
  await db.execute(sql`update workspaces set name = E'evil\\x1b[2J' where name = 'Acme'`);
  expect((await run("workspace list")).stdout).not.toContain("\u001b");
});
