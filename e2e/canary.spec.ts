import { randomBytes } from "node:crypto";

import postgres from "postgres";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { SERVICE_ROLE } from "@/db/embedded-connection";
import { asAdministrator, createTestDatabase } from "@/test/database";
import { launchForPages } from "@/test/browser";
import { ERRORS } from "@/lib/contract/errors";
import { idToUuid, newId } from "@/lib/contract/ids";
import { sha256 } from "@/lib/platform/secrets";
import { type Gate, openGate } from "@/scripts/faults/fault-proxy";
import { everyPath } from "./console/console-pages";
import { leaksIn } from "./leaks";
import { statusOf } from "./process/service";
import { createSite, readReport, type RunningService, type Site, startService, visit } from "./service";

const EMAIL = "owner@example.com";
const COMPONENT_FILES = ["imprint.js", "imprint.mjs", "imprint.d.ts", "imprint-react.mjs", "imprint-react.d.ts"];

/** A secret that occurs nowhere by chance. */
const plant = () => `canary${randomBytes(16).toString("hex")}`;
const keyRing = (secret: string) => `k1:${Buffer.from(secret).toString("base64")}`;

const planted = {
  authSecret: plant(),
  pepper: plant(),
  kek: plant(),
  databasePassword: plant(),
  metricsToken: plant(),
  accountRef: plant(),
  cookie: plant(),
  bearer: plant(),
  wrongKey: `svc_live_${plant()}`,
  queryKey: plant(),
  bodySecret: plant(),
  claimToken: plant(),
  facilitatorToken: plant(),
  /** Hosted nodes have their access key in the address. */
  rpcKey: plant(),
};

const { url: databaseUrl } = await createTestDatabase();
const role = `canary_${randomBytes(6).toString("hex")}`;
let gate: Gate;
let service: RunningService;
let site: Site;
let context: BrowserContext;
/** Everything that must not be seen, by name; secrets that the service makes itself join when they are made. */
const secrets = new Map<string, string>(Object.entries(planted));
/** Body and headers of everything that was fetched, by address. */
const answers = new Map<string, string>();

async function run(statements: string[]) {
  const sql = postgres(databaseUrl, { max: 1, fetch_types: false, onnotice: () => undefined });
  for (const statement of statements) await sql.unsafe(statement);
  await sql.end({ timeout: 5 });
}

async function look(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(service.url + path, { headers, redirect: "manual" });
  answers.set(path, `${JSON.stringify([...answer.headers])}\n${await answer.text()}`);
}

/** Looks at an address as the signed-in owner. */
async function lookSignedIn(path: string) {
  const answer = await context.request.get(service.url + path);
  const text = `${JSON.stringify(answer.headers())}\n${await answer.text()}`;
  expect(answer.status(), path).toBe(200);
  answers.set(`${path} (signed in)`, text);
  return text;
}

async function signIn() {
  await service.admin("member", "add", "--workspace", site.workspaceId, "--email", EMAIL, "--role", "owner");
  const { url = "" } = await service.admin("login-link", "--email", EMAIL);
  secrets.set("loginToken", new URL(url).searchParams.get("token") ?? "");
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("button", { name: /Sign in as/ }).click();
  await page.waitForURL((at) => !at.pathname.startsWith("/sign-in") && !at.pathname.startsWith("/api"));
  const session = (await context.cookies()).find(({ name }) => /session-token/.test(name));
  secrets.set("sessionToken", session?.value ?? "");
}

/** Sends every secret where clients send one, in its place and out of it. */
async function useSecrets(imprint: string) {
  const path = `/api/v1/fingerprint/report/${imprint}`;
  await look(path, { "X-API-Key": site.apiKey, "X-Account-Ref": planted.accountRef });
  await look(path, { "X-API-Key": planted.wrongKey, Cookie: `authjs.session-token=${planted.cookie}` });
  await look(path, { Authorization: `Bearer ${planted.bearer}` });
  await look("/metrics", { Authorization: `Bearer ${planted.metricsToken}` });
  await look("/sign-in", { Cookie: `authjs.session-token=${planted.cookie}` });
  await look("/api/auth/session", { Cookie: `authjs.session-token=${planted.cookie}` });
  const inQuery = await fetch(`${service.url}${path}?api_key=${planted.queryKey}`);
  answers.set("key in the query", await inQuery.text());
  for (const body of [`{"environment_id":"${planted.bodySecret}"}`, `{"api_key":"${planted.bodySecret}"`]) {
    const answer = await fetch(`${service.url}/api/v1/imprints`, { method: "POST", body });
    answers.set(`body ${body.length}`, await answer.text());
  }
}

async function lookAtEverything(imprint: string) {
  const docs = ["/docs", "/docs/api", "/docs/reasons", "/docs/errors", "/docs/quickstart"];
  const errorPages = Object.keys(ERRORS).map((code) => `/docs/errors/${code}`);
  const open = ["/", "/sign-in", "/sign-in/check", "/setup", "/openapi.json", "/healthz", "/readyz", "/nothing-here"];
  for (const path of [...open, ...docs, ...errorPages]) await look(path);
  for (const name of COMPONENT_FILES) await look(`/v1/${name}`);
  const home = `/w/${site.workspaceId}`;
  const intentId = newId("intent");
  await run([
    `update users set is_operator = true where email = '${EMAIL}'`,
    `insert into trial_intents (intent_id, claim_hash, origin, pay_until, limits)
      values ('${idToUuid(intentId)}', '\\x${sha256(planted.claimToken).toString("hex")}', 'https://agent.example', now(), '{}')`,
  ]);
  await look(`/api/v1/agent/trial-intents/${intentId}`, { Authorization: `Bearer ${planted.claimToken}` });
  const pages = everyPath({ imprint, intentId, webAppId: site.webAppId }, ["device", "account", "key"]);
  const scripts = new Set<string>();
  for (const page of [...pages, "/trials/queue", "/trials/totals"]) {
    const html = await lookSignedIn(home + page);
    for (const [script] of html.matchAll(/\/_next\/static\/[\w./~%-]+\.js/g)) scripts.add(script);
  }
  expect(scripts.size).toBeGreaterThan(3);
  for (const script of scripts) await look(script);
}

beforeAll(async () => {
  await asAdministrator(`create role ${role} login password '${planted.databasePassword}' in role ${SERVICE_ROLE}`);
  await asAdministrator(`alter role ${role} set role = '${SERVICE_ROLE}'`);
  gate = await openGate(
    Object.assign(new URL(databaseUrl), { username: role, password: planted.databasePassword }).href,
  );
  service = await startService({
    databaseUrl: gate.url,
    environment: {
      AUTH_SECRET: planted.authSecret,
      KEY_PEPPER: keyRing(planted.pepper),
      KEKS: keyRing(planted.kek.slice(0, 32)),
      METRICS_TOKEN: planted.metricsToken,
      LOG_LEVEL: "debug",
      X402_FACILITATOR_URL: "http://localhost:1",
      X402_FACILITATOR_TOKEN: planted.facilitatorToken,
      X402_RPC_URL: `http://localhost:1/v3/${planted.rpcKey}`,
      X402_NETWORK: "eip155:31337",
      X402_ASSET: `0x${"1".repeat(40)}`,
      X402_PAY_TO: `0x${"2".repeat(40)}`,
      X402_AMOUNT_ATOMIC: "1000000",
      X402_TOKEN_NAME: "Test",
      X402_TOKEN_VERSION: "1",
    },
  });
  secrets.set("kek", planted.kek.slice(0, 32));
  await vi.waitFor(() => {
    expect(service.output()).toMatch(/^Set-up\s/m);
  });
  secrets.set("setupToken", /\/setup\?token=([\w-]+)/.exec(service.output())?.[1] ?? "");
  site = await createSite(service);
  secrets.set("apiKey", site.apiKey);
  const browser = await launchForPages();
  context = await browser.newContext();
  const imprint = await visit(service.url, site, { headers: { Cookie: `session=${planted.cookie}` } });
  expect((await readReport(service.url, site.apiKey, imprint)).status).toBe(200);
  await signIn();
  await lookAtEverything(imprint);
  await useSecrets(imprint);
  await gate.cut();
  await useSecrets(imprint);
  await look("/sign-in", { Cookie: `authjs.session-token=${planted.cookie}` });
  await gate.reopen();
  await vi.waitFor(async () => {
    expect(await statusOf(`${service.url}/readyz`)).toBe(200);
  }, 20_000);
  await browser.close();
});
afterAll(async () => {
  await service.stop();
  await gate.close();
  await asAdministrator(`drop role ${role}`);
});

test("every credential was planted, and the log and the pages have something to show", () => {
  expect([...secrets].filter(([, secret]) => secret.length < 16)).toEqual([]);
  expect(secrets.size).toBe(Object.keys(planted).length + 4);
  expect(service.output().match(/"level":50/g)?.length ?? 0).toBeGreaterThan(0);
  expect(answers.size).toBeGreaterThan(60);
});

test("no secret is in the log, but the set-up link in the one line that shows it", () => {
  const [token = ""] = [secrets.get("setupToken")];
  expect(service.output()).not.toContain("params:");
  const lines = service.output().split("\n");
  expect(lines.filter((line) => line.includes(token))).toEqual([expect.stringMatching(/^Set-up\s/)]);
  const log = lines.filter((line) => !line.includes(token)).join("\n");
  expect(leaksIn(log, Object.fromEntries(secrets))).toEqual([]);
});

test("no secret is in a page, a script, a component file, the OpenAPI document or an error", () => {
  const leaked = [...answers].flatMap(([path, text]) =>
    leaksIn(text, Object.fromEntries(secrets)).map((name) => `${name} in ${path}`),
  );
  expect(leaked).toEqual([]);
});

test("what the Console shows of a key is its beginning and its last four characters", () => {
  const keysPage = answers.get(`/w/${site.workspaceId}/keys (signed in)`) ?? "";
  expect(keysPage).toContain(site.apiKey.slice(-4));
  expect(keysPage).not.toContain(site.apiKey.slice(0, -4).slice(-20));
});
