import { createHash, randomBytes } from "node:crypto";

import { chromium } from "playwright-core";

import { activate, createIntent, waitForCredentials } from "../demo-agent/purchase.mjs";
import { setUpActions, startFreshService } from "../demo/fresh-service.mjs";
import { runAdmin } from "../demo/processes.mjs";
import { loadSandbox } from "../sandbox/load.mjs";

export const OWNER = "ada@example.com";
/** May see neither keys nor the audit log, nor addresses. */
export const ANALYST = "grace@example.com";

const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking"];
const CALLBACK = "http://localhost:9/callback";
/** A Web App of the demonstration data. */
const VISITED_APP = "Demo account";
const PRODUCT_CODE = "agent_trial_lite_100";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {{ url: string, env: NodeJS.ProcessEnv, setupUrl: string }} Service */
/** @typedef {Awaited<ReturnType<import("../sandbox/load.mjs").loadSandbox>>} SandboxModule */

/** The first set-up as an owner does it, who then also runs the instance. @param {Page} page @param {string} setupUrl */
async function setUp(page, setupUrl) {
  for (const { act } of setUpActions(page, { setupUrl, owner: OWNER })) await act();
  await page.waitForURL(/\/w\/ws_[0-9a-f]{32}$/);
  return page.url().split("/").at(-1) ?? "";
}

/** A workspace in which nothing has happened yet. @param {NodeJS.ProcessEnv} env */
async function makeEmptyWorkspace(env) {
  const { workspace_id: workspaceId } = await runAdmin(["workspace", "create", "--name", "Fresh"], env);
  await runAdmin(["member", "add", "--workspace", workspaceId, "--email", OWNER, "--role", "owner"], env);
  return workspaceId;
}

/** Where a client that has just registered sends its person, who is then asked for access. @param {string} url */
async function registerClient(url) {
  const answer = await fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: "Ledger agent", redirect_uris: [CALLBACK] }),
  });
  const { client_id: clientId } = /** @type {{ client_id: string }} */ (await answer.json());
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: createHash("sha256").update(randomBytes(32)).digest("base64url"),
    code_challenge_method: "S256",
    resource: `${url}/mcp`,
    scope: "svc.report.lite svc.report.pro svc.history.read svc.usage.read",
  });
  return `${url}/oauth/authorize?${query.toString()}`;
}

/**
 * Purchases in several states: a trial that runs, one that was ended and paid back, one whose payment has no outcome
 * yet, and one that nobody has paid.
 *
 * @param {Service} service @param {SandboxModule} module @param {Awaited<ReturnType<SandboxModule["startSandbox"]>>} sandbox
 */
async function makePurchases({ url, env }, { createBuyer }, sandbox) {
  const begin = (/** @type {string} */ origin) => createIntent(url, { productCode: PRODUCT_CODE, origin });
  const payFor = async (/** @type {string} */ origin) => {
    const intent = await begin(origin);
    await activate(intent, createBuyer(sandbox.createAccount()).pay);
    return intent;
  };
  const bought = await payFor("https://agent.example");
  await waitForCredentials(bought);
  const returned = await payFor("https://regret.example");
  await waitForCredentials(returned);
  const of = ["--intent", returned.intent_id];
  await runAdmin(["trial", "revoke", ...of, "--reason", "Asked for it back within the hour"], env);
  await runAdmin(
    ["trial", "note-refund", ...of, "--transaction", `0x${"5e".repeat(32)}`, "--note", "Ticket 4711"],
    env,
  );
  sandbox.inject("unmined");
  const unclear = await payFor("https://unclear.example");
  await begin("https://window-shopper.example");
  const reason = "Paid with an authorization that it cancelled, three times in a row";
  await runAdmin(["trial", "block", "--buyer", "https://cheat.example", "--reason", reason], env);
  await runAdmin(["trial", "block", "--buyer", sandbox.createAccount().address], env);
  return { boughtId: bought.intent_id, returnedId: returned.intent_id, unclearId: unclear.intent_id };
}

/**
 * Data of every kind.
 *
 * @param {Service} service @param {string} workspaceId
 * @param {SandboxModule} module @param {Awaited<ReturnType<SandboxModule["startSandbox"]>>} sandbox
 */
async function fill(service, workspaceId, module, sandbox) {
  const { url, env } = service;
  const admin = (/** @type {string[]} */ ...args) => runAdmin(args, env);
  const of = ["--workspace", workspaceId];
  await admin("workspace", "set-plan", ...of, "--plan", "pro");
  await admin("demo-data", ...of);
  await admin("member", "add", ...of, "--email", ANALYST, "--role", "analyst");
  const invited = await admin("invitation", "create", ...of, "--email", "new@example.com", "--role", "developer");
  const { web_apps: webApps } = await admin("web-app", "list", ...of);
  const webApp = webApps.find((/** @type {{ name: string }} */ { name }) => name === VISITED_APP);
  // The demonstration runs the component on the Console's own origin.
  await admin("origin", "add", "--web-app", webApp.web_app_id, "--origin", url);
  const key = await admin("key", "create", ...of, "--name", "Checkout server");
  const purchases = await makePurchases(service, module, sandbox);
  return {
    ...purchases,
    joinUrl: invited.url,
    emptyHome: `${url}/w/${await makeEmptyWorkspace(env)}`,
    consentUrl: await registerClient(url),
    webAppId: webApp.web_app_id,
    keyId: key.key_id,
    apiKey: key.api_key,
  };
}

/**
 * A service with data of every kind and purchases in a sandbox, and a browser.
 *
 * @param {{ say: (line: string) => void, undo: (() => unknown)[], executablePath: string }} options `undo` gets what
 *   ends it again, last first
 */
export async function openScene({ say, undo, executablePath }) {
  const sandboxModule = await loadSandbox();
  const sandbox = await sandboxModule.startSandbox();
  undo.push(() => sandbox.close());
  const service = await startFreshService({ say, undo, variables: sandbox.variables });
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  undo.push(() => browser.close());
  const workspaceId = await setUp(await browser.newPage(), service.setupUrl);
  const home = `${service.url}/w/${workspaceId}`;
  const filled = await fill(service, workspaceId, sandboxModule, sandbox);
  // Who set up has not proved the address yet: the second workspace has ended that session.
  const context = await browser.newContext();
  const examples = await findExamples(await signIn(context, service.env, OWNER), home);
  await context.close();
  await callAsServer(service, { ...filled, ...examples });
  return { service, browser, scene: { home, ...filled, ...examples } };
}

/** A page on which `email` has just signed in. @param {import("playwright-core").BrowserContext} context @param {NodeJS.ProcessEnv} env @param {string} email */
export async function signIn(context, env, email) {
  const page = await context.newPage();
  const { url } = await runAdmin(["login-link", "--email", email], env);
  await page.goto(url);
  await page.getByRole("button", { name: /^Sign in as/ }).click();
  await page.waitForURL(/\/w\/ws_/);
  return page;
}

/** What a server asks with its key: a Report twice, its History, and one that does not exist. @param {Service} service @param {{ apiKey: string, imprint: string }} of */
async function callAsServer({ url }, { apiKey, imprint }) {
  const report = `/api/v1/fingerprint/report/${imprint}`;
  const missing = `/api/v1/fingerprint/report/imp_${"0".repeat(32)}`;
  for (const path of [report, report, `/api/v1/fingerprint/imprint/${imprint}/history`, missing])
    await fetch(url + path, { headers: { "X-API-Key": apiKey, "User-Agent": "checkout/2.4 (node)" } });
}

const MAX_DEVICES = 20;

/** Where the first link to something of a kind leads; opens it. @param {Page} page @param {string} kind */
async function follow(page, kind) {
  const href = (await page.locator(`a[href*="/${kind}"]`).first().getAttribute("href")) ?? "";
  await page.goto(new URL(href, page.url()).href);
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

/** The newest deceptive Report, its device, and the account of a device, as a person finds them. @param {Page} page @param {string} home */
async function findExamples(page, home) {
  await page.goto(`${home}/reports?risk=DECEPTIVE&span=90d`);
  const imprint = await follow(page, "reports/imp_");
  const deviceId = await follow(page, "devices/dev_");
  await page.goto(`${home}/devices`);
  const links = await page.locator('a[href*="/devices/dev_"]').all();
  const devices = await Promise.all(links.slice(0, MAX_DEVICES).map((link) => link.getAttribute("href")));
  for (const href of devices) {
    await page.goto(new URL(href ?? "", home).href);
    if ((await page.locator('a[href*="/accounts/acc_"]').count()) === 0) continue;
    return { imprint, deviceId, accountId: await follow(page, "accounts/acc_") };
  }
  throw new Error(`None of the ${devices.length} newest devices has an account.`);
}
