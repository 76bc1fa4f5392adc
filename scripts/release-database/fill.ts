import { createHash } from "node:crypto";

import { setUpActions } from "../demo/fresh-service.mjs";
import { loadProof } from "../component/load-proof.mjs";
import { runAdmin } from "../demo/processes.mjs";
import { connectDatabase } from "../screenshots/tables.mjs";
import { signIn } from "../screenshots/scene.mjs";
import { connectClient } from "./connect-client.mjs";

const { composeExactly } = await loadProof();

const KEY = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
/** Secrets that are no secrets: whoever loads the dump needs them. */
export const SECRETS = { AUTH_SECRET: "release-auth-secret-release-auth-secret", KEY_PEPPER: KEY, KEKS: KEY };

const OWNER = "ada@example.com";
const PLANS = /** @type {const} */ (["lite", "pro", "enterprise"]);
const ROLES = /** @type {const} */ (["admin", "developer", "analyst"]);
const DEVICES = 150;
/** Of each device; the first makes it, the others return with its token. */
const VISITS = 3;
const RETURNING = 12;
/** Read by the contract's own operation, so that units and calls are used. */
const REPORTS_READ = { lite: 25, pro: 120, enterprise: 300 };
/** Below what the plans allow. */
const CALLS_PER_SECOND = { lite: 8, pro: 40, enterprise: 150 };
const WITH_ACCOUNT = 60;
/** One account on three devices each. */
const DEVICES_OF_ACCOUNT = 3;
const ORIGIN = "https://shop.example";

/** @typedef {{ url: string, env: NodeJS.ProcessEnv, dataDir: string, setupUrl: string }} Service */
/** @typedef {import("./draw-visits").DrawnVisit} DrawnVisit */
/** @typedef {typeof import("./draw-visits").drawVisits} DrawVisits */

const digest = (/** @type {string} */ text) => createHash("sha256").update(text).digest("hex");

/** The text of an answer. @param {string} url @param {RequestInit} init @param {number} status */
async function expectAnswer(url, init, status) {
  const response = await fetch(url, init);
  const text = await response.text();
  if (response.status !== status) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text;
}

/** @param {string} url @param {DrawnVisit} drawn @param {{ environmentId: string, origin?: string, token?: string, surface: string }} of */
async function visit(url, drawn, { environmentId, origin = ORIGIN, token, surface }) {
  const headers = {
    Origin: origin,
    "User-Agent": drawn.userAgent,
    "Accept-Language": drawn.acceptLanguage,
    "X-Forwarded-For": drawn.address,
  };
  const send = async (/** @type {string} */ path, /** @type {string} */ body, /** @type {number} */ status) =>
    JSON.parse(await expectAnswer(url + path, { method: "POST", headers, body }, status));
  const asking = JSON.stringify({ environment_id: environmentId, token });
  const issued = await send("/api/v1/imprints/challenge", asking, 200);
  const held = token ?? issued.token;
  const timings = { total: 80, challenge: 20, signals: {} };
  const { challenge } = issued;
  const body = {
    v: 1,
    environment_id: environmentId,
    challenge,
    token: held,
    surface,
    signals: drawn.signals,
    timings,
  };
  const { imprint } = await send("/api/v1/imprints", composeExactly(body), 201);
  return { imprint, token: held };
}

/** @param {Service} service @param {{ environmentId: string }} place @param {DrawnVisit[]} drawn */
async function makeVisits({ url }, { environmentId }, drawn) {
  /** @type {string[]} */
  const imprints = [];
  /** @type {{ token: string, drawn: DrawnVisit, imprint: string }[]} */
  const devices = [];
  for (let round = 0; round < VISITS; round += 1) {
    for (const [index, each] of drawn.entries()) {
      const token = devices[index]?.token;
      const surface = ["sign-in", "checkout", "default"][round] ?? "default";
      const made = await visit(url, each, { environmentId, surface, ...(token === undefined ? {} : { token }) });
      imprints.push(made.imprint);
      devices[index] = { token: made.token, drawn: each, imprint: made.imprint };
    }
  }
  return { imprints, devices };
}

/** Keys in every state. @param {(...args: string[]) => Promise<any>} admin @param {string} workspaceId */
async function makeKeys(admin, workspaceId) {
  const of = ["--workspace", workspaceId];
  const create = (/** @type {string} */ name, /** @type {string[]} */ ...more) =>
    admin("key", "create", ...of, "--name", name, ...more);
  const current = await create("Checkout server");
  const old = await create("Replaced, still accepted");
  const replaced = await admin("key", "rotate", ...of, "--key", old.key_id, "--overlap", "7d");
  const gone = await create("Revoked");
  await admin("key", "revoke", ...of, "--key", gone.key_id);
  const ending = await create("Ends", "--expires", "90d");
  return {
    accepted: [current.api_key, old.api_key, replaced.api_key, ending.api_key],
    refused: [gone.api_key],
  };
}

/** @param {Service} service @param {typeof PLANS[number]} plan @param {DrawnVisit[]} drawn */
async function fillWorkspace(service, plan, drawn) {
  const admin = (/** @type {string[]} */ ...args) => runAdmin(args, service.env);
  const { workspace_id: workspaceId } = await admin("workspace", "create", "--name", `Acme ${plan}`, "--plan", plan);
  const of = ["--workspace", workspaceId];
  const app = await admin("web-app", "create", ...of, "--name", "Shop", "--origin", ORIGIN);
  for (const role of ROLES)
    await admin("member", "add", ...of, "--email", `${role}-${plan}@example.com`, "--role", role);
  await admin("member", "add", ...of, "--email", OWNER, "--role", "owner");
  const invited = await admin("invitation", "create", ...of, "--email", `new-${plan}@example.com`, "--role", "analyst");
  await admin("view", "save", ...of, "--name", "High risk", "--query", "risk=DECEPTIVE&span=30d");
  const keys = await makeKeys(admin, workspaceId);
  const [key = ""] = keys.accepted;
  const environmentId = app.environment_id;
  const { imprints, devices } = await makeVisits(service, { environmentId }, drawn);
  const paced = pace(CALLS_PER_SECOND[plan]);
  const answers = await readAnswers({ service, plan, key, imprints, paced });
  const returning = [];
  for (const { token, drawn: browser, imprint } of devices.slice(0, RETURNING)) {
    await paced();
    const { device } = JSON.parse(await readReport(service, key, imprint));
    returning.push({ token, drawn: browser, deviceId: device.id, accessCount: device.access_count });
  }
  return {
    plan,
    workspaceId,
    webAppId: app.web_app_id,
    environmentId,
    origin: ORIGIN,
    keys: { ...keys, accepted: [app.api_key, ...keys.accepted] },
    invitationUrl: invited.url,
    imprints: imprints.length,
    ...answers,
    returning,
  };
}

/** @param {Service} service @param {string} key @param {string} imprint @param {string} [account] */
const readReport = ({ url }, key, imprint, account) =>
  expectAnswer(
    `${url}/api/v1/fingerprint/report/${imprint}`,
    { headers: { "X-API-Key": key, ...(account === undefined ? {} : { "X-Account-Ref": account }) } },
    200,
  );

/** Reports, Account Maps and a History as this version answers them. @param {{ service: Service, plan: typeof PLANS[number], key: string, imprints: string[], paced: () => Promise<void> }} of */
async function readAnswers({ service, plan, key, imprints, paced }) {
  const reports = [];
  for (const imprint of imprints.slice(-REPORTS_READ[plan])) {
    await paced();
    reports.push({ imprint, sha256: digest(await readReport(service, key, imprint)) });
  }
  if (plan === "lite") return { reports, accounts: [], history: undefined };
  const linked = [];
  for (const [index, imprint] of imprints.slice(0, WITH_ACCOUNT).entries()) {
    await paced();
    const account = `user-${Math.floor(index / DEVICES_OF_ACCOUNT)}`;
    await readReport(service, key, imprint, account);
    linked.push({ imprint, account });
  }
  // Read again when all links are there: from now on they are history.
  const accounts = [];
  for (const { imprint, account } of linked) {
    await paced();
    accounts.push({ imprint, account, sha256: digest(await readReport(service, key, imprint, account)) });
  }
  const day = new Date().toISOString().slice(0, 10);
  const path = `/api/v1/fingerprint/imprint/${imprints.at(-1)}/history?from=${day}&to=${day}&recent=10`;
  const body = await expectAnswer(service.url + path, { headers: { "X-API-Key": key } }, 200);
  return { reports, accounts, history: { path, body } };
}

/** Waits so long that no more than `perSecond` calls begin in a second. @param {number} perSecond */
function pace(perSecond) {
  let next = performance.now();
  return async () => {
    next = Math.max(next + 1000 / perSecond, performance.now());
    await new Promise((resolve) => setTimeout(resolve, next - performance.now()));
  };
}

/** What the database itself says; a later version answers the same. @param {string} dataDir @param {string} workspaceId */
async function readTotals(dataDir, workspaceId) {
  const sql = connectDatabase(dataDir);
  const id = `${workspaceId.slice(3)}`;
  try {
    const [row] = await sql`
      select count(*)::int as visits, encode(sha256(convert_to(string_agg(report, '' order by event_id), 'UTF8')), 'hex') as reports
      from visits where workspace_id = ${id}::uuid`;
    return row;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** @param {{ service: Service, browser: import("playwright-core").Browser, drawVisits: DrawVisits, say: (line: string) => void }} place */
export async function fill({ service, browser, drawVisits, say }) {
  const page = await browser.newPage();
  for (const { act } of setUpActions(page, { setupUrl: service.setupUrl, owner: OWNER })) await act();
  await page.waitForURL(/\/w\/ws_[0-9a-f]{32}$/);
  const workspaces = [];
  for (const [index, plan] of PLANS.entries()) {
    workspaces.push(await fillWorkspace(service, plan, drawVisits({ seed: index + 1, count: DEVICES })));
    say(`  workspace on the plan ${plan}`);
  }
  const demo = workspaces[1];
  await runAdmin(["demo-data", "--workspace", demo.workspaceId, "--force"], service.env);
  const sessions = [];
  for (const email of [OWNER, "analyst-enterprise@example.com"]) {
    const context = await browser.newContext();
    const person = await signIn(context, service.env, email);
    const cookies = (await context.cookies()).filter(({ name }) => name.includes("session"));
    sessions.push({ email, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") });
    if (email === OWNER) sessions[0].client = await connectClient(service, person, workspaces[2].workspaceId);
  }
  // The service folds calls into days every minute at the latest; a stop would do it too, but it has to run on.
  const usage = [];
  for (const { workspaceId } of workspaces) {
    const day = new Date().toISOString().slice(0, 10);
    usage.push({
      workspaceId,
      answer: await runAdmin(["usage", "--workspace", workspaceId, "--from", day, "--to", day], service.env),
    });
  }
  const totals = await Promise.all(workspaces.map(({ workspaceId }) => readTotals(service.dataDir, workspaceId)));
  return {
    madeAt: new Date().toISOString(),
    workspaces: workspaces.map((workspace, index) => ({
      ...workspace,
      totals: totals[index],
      usage: usage[index].answer,
    })),
    sessions: sessions.map(({ email, cookie }) => ({ email, cookie })),
    client: sessions[0].client,
  };
}

/** A visit of a trial and its Report: one of its units. @param {Service} service @param {DrawnVisit} drawn @param {{ environmentId: string, apiKey: string, origin: string }} trial */
export async function useTrial(service, drawn, { environmentId, apiKey, origin }) {
  const { imprint, token } = await visit(service.url, drawn, { environmentId, origin, surface: "agent" });
  const report = await readReport(service, apiKey, imprint);
  const { device } = JSON.parse(report);
  const returning = [{ token, drawn, deviceId: device.id, accessCount: device.access_count }];
  return { imprint, sha256: digest(report), returning };
}
