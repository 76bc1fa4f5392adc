import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import type { Browser } from "playwright-core";

import { composeExactly } from "@/lib/contract/challenge-proof";
import { idToUuid } from "@/lib/contract/ids";
import { Report } from "@/lib/contract/report";
import { timingsFor } from "@/test/timings";
import { onDatabase } from "../common/embedded-database";
import { signIn } from "../common/example-service";
import { adminTexts, runAdmin, textsOf } from "../common/processes";
import { type Service, setUpActions } from "../common/service";
import { connectClient } from "./connect-client";
import { type DrawnVisit, drawVisits } from "./draw-visits";

const KEY = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
/** Public secrets: anyone who loads the dump needs them. */
export const SECRETS = { AUTH_SECRET: "release-auth-secret-release-auth-secret", KEY_PEPPER: KEY, KEKS: KEY };

const OWNER = "ada@example.com";
const PLANS = ["lite", "pro", "enterprise"] as const;
const ROLES = ["admin", "developer", "analyst"] as const;
const DEVICES = 150;
/** Visits per device; the first creates it, the others return with its token. */
const VISITS = 3;
const RETURNING = 12;
/** Number of Reports read through the contract's own operation, so that units and calls are used. */
const REPORTS_READ = { lite: 25, pro: 120, enterprise: 300 };
/** Call rates below the plans' limits. */
const CALLS_PER_SECOND = { lite: 8, pro: 40, enterprise: 150 };
const WITH_ACCOUNT = 60;
/** Each account is used on three devices. */
const DEVICES_OF_ACCOUNT = 3;
const ORIGIN = "https://shop.example";

type Plan = (typeof PLANS)[number];

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

/** The body of a response with an expected status. */
async function expectAnswer(url: string, init: RequestInit, status: number): Promise<string> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (response.status !== status) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text;
}

type Visitor = { environmentId: string; origin?: string; token?: string | undefined; surface: string };

async function visit(url: string, drawn: DrawnVisit, { environmentId, origin = ORIGIN, token, surface }: Visitor) {
  const headers = {
    Origin: origin,
    "User-Agent": drawn.userAgent,
    "Accept-Language": drawn.acceptLanguage,
    "X-Forwarded-For": drawn.address,
  };
  const send = async (path: string, body: string, status: number): Promise<unknown> =>
    JSON.parse(await expectAnswer(url + path, { method: "POST", headers, body }, status));
  const issued = await send(
    "/api/v1/imprints/challenge",
    JSON.stringify({ environment_id: environmentId, token }),
    200,
  );
  const { challenge } = textsOf(issued, "challenge");
  const held = token ?? textsOf(issued, "token").token;
  const timings = timingsFor(drawn.signals);
  const body = {
    v: 1,
    environment_id: environmentId,
    challenge,
    token: held,
    surface,
    signals: drawn.signals,
    timings,
  };
  const { imprint } = textsOf(await send("/api/v1/imprints", composeExactly(body), 201), "imprint");
  return { imprint, token: held };
}

async function makeVisits(url: string, environmentId: string, drawn: readonly DrawnVisit[]) {
  const imprints: string[] = [];
  const devices: { token: string; drawn: DrawnVisit; imprint: string }[] = [];
  for (let round = 0; round < VISITS; round += 1) {
    for (const [index, each] of drawn.entries()) {
      const surface = ["sign-in", "checkout", "default"][round] ?? "default";
      const made = await visit(url, each, { environmentId, surface, token: devices[index]?.token });
      imprints.push(made.imprint);
      devices[index] = { ...made, drawn: each };
    }
  }
  return { imprints, devices };
}

/** Creates keys in every state. */
async function makeKeys(env: NodeJS.ProcessEnv, of: readonly string[]) {
  const create = (name: string, ...more: string[]) =>
    adminTexts(["key", "create", ...of, "--name", name, ...more], env, "api_key", "key_id");
  const current = await create("Checkout server");
  const old = await create("Replaced, still accepted");
  const replaced = await adminTexts(["key", "rotate", ...of, "--key", old.key_id, "--overlap", "7d"], env, "api_key");
  const gone = await create("Revoked");
  await runAdmin(["key", "revoke", ...of, "--key", gone.key_id], env);
  const ending = await create("Ends", "--expires", "90d");
  return {
    accepted: [current.api_key, old.api_key, replaced.api_key, ending.api_key],
    refused: [gone.api_key],
  };
}

/** Creates a workspace with members, an invitation and a saved view. */
async function makeWorkspace(env: NodeJS.ProcessEnv, plan: Plan) {
  const create = ["workspace", "create", "--name", `Acme ${plan}`, "--plan", plan];
  const { workspace_id: workspaceId } = await adminTexts(create, env, "workspace_id");
  const of = ["--workspace", workspaceId];
  const webApp = ["web-app", "create", ...of, "--name", "Shop", "--origin", ORIGIN];
  const app = await adminTexts(webApp, env, "web_app_id", "environment_id", "api_key");
  for (const role of ROLES)
    await runAdmin(["member", "add", ...of, "--email", `${role}-${plan}@example.com`, "--role", role], env);
  await runAdmin(["member", "add", ...of, "--email", OWNER, "--role", "owner"], env);
  const invitation = ["invitation", "create", ...of, "--email", `new-${plan}@example.com`, "--role", "analyst"];
  const invited = await adminTexts(invitation, env, "url");
  await runAdmin(["view", "save", ...of, "--name", "High risk", "--query", "risk=DECEPTIVE&span=30d"], env);
  return { workspaceId, app, invitationUrl: invited.url, keys: await makeKeys(env, of) };
}

async function fillWorkspace(service: Service, plan: Plan, drawn: readonly DrawnVisit[]) {
  const { workspaceId, app, invitationUrl, keys } = await makeWorkspace(service.env, plan);
  const [key = ""] = keys.accepted;
  const { imprints, devices } = await makeVisits(service.url, app.environment_id, drawn);
  const paced = pace(CALLS_PER_SECOND[plan]);
  const answers = await readAnswers({ service, plan, key, imprints, paced });
  const returning = [];
  for (const { token, drawn: browser, imprint } of devices.slice(0, RETURNING)) {
    await paced();
    const { device } = parseReport(await readReport(service, key, imprint));
    returning.push({ token, drawn: browser, deviceId: device.id, accessCount: device.access_count });
  }
  return {
    plan,
    workspaceId,
    webAppId: app.web_app_id,
    environmentId: app.environment_id,
    origin: ORIGIN,
    keys: { ...keys, accepted: [app.api_key, ...keys.accepted] },
    invitationUrl,
    imprints: imprints.length,
    ...answers,
    returning,
  };
}

const parseReport = (text: string) => Report.parse(JSON.parse(text));

const readReport = ({ url }: Service, key: string, imprint: string, account?: string) =>
  expectAnswer(
    `${url}/api/v1/fingerprint/report/${imprint}`,
    { headers: { "X-API-Key": key, ...(account === undefined ? {} : { "X-Account-Ref": account }) } },
    200,
  );

type Reads = { service: Service; plan: Plan; key: string; imprints: string[]; paced: () => Promise<void> };

/** Reads Reports, Account Maps and a History as this version returns them. */
async function readAnswers({ service, plan, key, imprints, paced }: Reads) {
  const reports = [];
  for (const imprint of imprints.slice(-REPORTS_READ[plan])) {
    await paced();
    reports.push({ imprint, sha256: digest(await readReport(service, key, imprint)) });
  }
  if (plan === "lite") return { reports, accounts: [], history: undefined };
  const linked = imprints
    .slice(0, WITH_ACCOUNT)
    .map((imprint, index) => ({ imprint, account: `user-${Math.floor(index / DEVICES_OF_ACCOUNT)}` }));
  for (const { imprint, account } of linked) {
    await paced();
    await readReport(service, key, imprint, account);
  }
  // Re-read once all links exist: from now on they do not change.
  const accounts = [];
  for (const { imprint, account } of linked) {
    await paced();
    accounts.push({ imprint, account, sha256: digest(await readReport(service, key, imprint, account)) });
  }
  const path = `/api/v1/fingerprint/imprint/${imprints.at(-1) ?? ""}/history?from=${today()}&to=${today()}&recent=10`;
  const body = await expectAnswer(service.url + path, { headers: { "X-API-Key": key } }, 200);
  return { reports, accounts, history: { path, body } };
}

const today = () => new Date().toISOString().slice(0, 10);

/** Returns a function that delays calls to at most `perSecond` per second. */
function pace(perSecond: number): () => Promise<void> {
  let next = performance.now();
  return () => {
    next = Math.max(next + 1000 / perSecond, performance.now());
    return delay(next - performance.now());
  };
}

/** Totals from the database itself; a later version must get the same ones. */
const readTotals = (dataDir: string, workspaceId: string) =>
  onDatabase(dataDir, async (sql) => {
    const [row] = await sql<{ visits: number; reports: string }[]>`
      select count(*)::int as visits, encode(sha256(convert_to(string_agg(report, '' order by event_id), 'UTF8')), 'hex') as reports
      from visits where workspace_id = ${idToUuid(workspaceId)}::uuid`;
    return row;
  });

/** Creates two people's sessions, and connects the owner's client to the last workspace. */
async function makeSessions(service: Service, browser: Browser, workspaceId: string) {
  const open = async (email: string) => {
    const context = await browser.newContext();
    const page = await signIn(context, service.env, email);
    const cookies = (await context.cookies()).filter(({ name }) => name.includes("session"));
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    return { page, session: { email, cookie } };
  };
  const owner = await open(OWNER);
  const client = await connectClient(service, owner.page, workspaceId);
  const analyst = await open("analyst-enterprise@example.com");
  return { sessions: [owner.session, analyst.session], client };
}

type Filling = { service: Service; browser: Browser; log: (line: string) => void };

export async function fill({ service, browser, log }: Filling) {
  const page = await browser.newPage();
  for (const { act } of setUpActions(page, { setupUrl: service.setupUrl, owner: OWNER })) await act();
  await page.waitForURL(/\/w\/ws_[0-9a-f]{32}$/);
  const workspaces = [];
  for (const [index, plan] of PLANS.entries()) {
    workspaces.push(await fillWorkspace(service, plan, drawVisits({ seed: index + 1, count: DEVICES })));
    log(`  workspace on the plan ${plan}`);
  }
  const ids = workspaces.map(({ workspaceId }) => workspaceId);
  await runAdmin(["demo-data", "--workspace", ids[1] ?? "", "--force"], service.env);
  const people = await makeSessions(service, browser, ids[2] ?? "");
  // The service folds calls into days at least every minute. A stop would also do it, but the service must keep
  // running.
  const answered = [];
  for (const workspace of workspaces) {
    const of = ["--workspace", workspace.workspaceId, "--from", today(), "--to", today()];
    const usage = await runAdmin(["usage", ...of], service.env);
    answered.push({ ...workspace, totals: await readTotals(service.dataDir, workspace.workspaceId), usage });
  }
  return { madeAt: new Date().toISOString(), workspaces: answered, ...people };
}

/** Makes a trial visit and reads its Report, which uses one unit. */
export async function useTrial(
  service: Service,
  drawn: DrawnVisit,
  { environmentId, apiKey, origin }: { environmentId: string; apiKey: string; origin: string },
) {
  const { imprint, token } = await visit(service.url, drawn, { environmentId, origin, surface: "agent" });
  const report = await readReport(service, apiKey, imprint);
  const { device } = parseReport(report);
  const returning = [{ token, drawn, deviceId: device.id, accessCount: device.access_count }];
  return { imprint, sha256: digest(report), returning };
}
