import { type BrowserContext, chromium, type Page } from "playwright-core";
import { z } from "zod";

import { activate, createIntent, waitForCredentials } from "../demo-agent/purchase";
import { createBuyer } from "../sandbox/buyer";
import { type Sandbox, startSandbox } from "../sandbox/sandbox";
import type { CleanUp } from "./command";
import { beginAuthorization } from "./oauth-user";
import { adminTexts, runAdmin } from "./processes";
import { type Service, setUpActions, startFreshService } from "./service";

export const OWNER = "ada@example.com";
/** A member without access to keys, the audit log or IP addresses. */
export const ANALYST = "grace@example.com";
export const PRODUCT_CODE = "agent_trial_lite_100";

const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking"];
/** A Web App in the demo data. */
const VISITED_APP = "Demo account";
const WebApps = z.object({ web_apps: z.array(z.object({ name: z.string(), web_app_id: z.string() })) });

/** Does the initial set-up as an owner, who then also operates the instance. */
async function setUp(page: Page, setupUrl: string): Promise<string> {
  for (const { act } of setUpActions(page, { setupUrl, owner: OWNER })) await act();
  await page.waitForURL(/\/w\/ws_[0-9a-f]{32}$/);
  return page.url().split("/").at(-1) ?? "";
}

/** Creates a workspace without any activity. */
async function makeEmptyWorkspace(env: NodeJS.ProcessEnv): Promise<string> {
  const created = await adminTexts(["workspace", "create", "--name", "Fresh"], env, "workspace_id");
  await runAdmin(["member", "add", "--workspace", created.workspace_id, "--email", OWNER, "--role", "owner"], env);
  return created.workspace_id;
}

/** Revokes a trial, records its refund, and blocks further purchases for the origin. */
export async function returnTrial(env: NodeJS.ProcessEnv, intentId: string, blockedFor: string): Promise<void> {
  const of = ["--intent", intentId];
  await runAdmin(["trial", "revoke", ...of, "--reason", "Asked for it back within the hour"], env);
  const transaction = `0x${"5e".repeat(32)}`;
  await runAdmin(["trial", "note-refund", ...of, "--transaction", transaction, "--note", "Ticket 4711"], env);
  await runAdmin(["trial", "block", "--buyer", "https://cheat.example", "--reason", blockedFor], env);
}

/**
 * Creates purchases in several states: a running trial, a revoked and refunded one, one whose payment is still
 * unresolved, and an unpaid one.
 */
async function makePurchases({ url, env }: Service, sandbox: Sandbox) {
  const begin = (origin: string) => createIntent(url, { productCode: PRODUCT_CODE, origin });
  const payFor = async (origin: string) => {
    const intent = await begin(origin);
    await activate(intent, createBuyer(sandbox.createAccount()).pay);
    return intent;
  };
  const bought = await payFor("https://agent.example");
  await waitForCredentials(bought);
  const returned = await payFor("https://regret.example");
  await waitForCredentials(returned);
  await returnTrial(env, returned.intent_id, "Paid with an authorization that it cancelled, three times in a row");
  sandbox.inject("unmined");
  const unclear = await payFor("https://unclear.example");
  await begin("https://window-shopper.example");
  await runAdmin(["trial", "block", "--buyer", sandbox.createAccount().address], env);
  return { boughtId: bought.intent_id, returnedId: returned.intent_id, unclearId: unclear.intent_id };
}

/** Creates a webhook to an unreachable endpoint, with a message, and a management key. */
async function makeIntegrations(env: NodeJS.ProcessEnv, workspaceId: string) {
  const of = ["--workspace", workspaceId];
  const address = ["--name", "Risk queue", "--url", "https://events.invalid/imprint"];
  const create = ["webhook", "create", ...of, ...address, "--event", "visit.recorded", "--event", "key.revoked"];
  const { webhook_id: endpointId } = await adminTexts(create, env, "webhook_id");
  await runAdmin(["webhook", "test", ...of, "--webhook", endpointId], env);
  await runAdmin(["management-key", "create", ...of, "--name", "Previews", "--scope", "origins"], env);
  return { endpointId };
}

/** A rule that has labels in the demo data. */
const EXAMPLE_RULE = "automation.webdriver-flag";

/** Creates a view with an alert, and puts a rule into observe mode. */
async function makeAnalysis(env: NodeJS.ProcessEnv, workspaceId: string) {
  const of = ["--workspace", workspaceId];
  const view = [
    "view",
    "save",
    ...of,
    "--name",
    "Software as a browser",
    "--query",
    "reason=AUTOMATION_DETECTED&span=7d",
  ];
  const { view_id: viewId } = await adminTexts(view, env, "view_id");
  const alert = ["--name", "Many robots", "--condition", "number", "--threshold", "20", "--mail", ANALYST];
  const quiet = ["--quiet-from", "22:00", "--quiet-to", "07:00", "--zone", "Europe/Amsterdam"];
  await runAdmin(["alert", "create", ...of, "--view", viewId, ...alert, ...quiet], env);
  await runAdmin(["rules", "observe", ...of, "--rule", "environment.time-zone"], env);
  return { ruleId: EXAMPLE_RULE };
}

/** Creates data of every kind. */
async function fill(service: Service, workspaceId: string, sandbox: Sandbox) {
  const { url, env } = service;
  const of = ["--workspace", workspaceId];
  await runAdmin(["workspace", "set-plan", ...of, "--plan", "pro"], env);
  await runAdmin(["demo-data", ...of], env);
  await runAdmin(["member", "add", ...of, "--email", ANALYST, "--role", "analyst"], env);
  const invitation = ["invitation", "create", ...of, "--email", "new@example.com", "--role", "developer"];
  const invited = await adminTexts(invitation, env, "url");
  const { web_apps: webApps } = WebApps.parse(await runAdmin(["web-app", "list", ...of], env));
  const webAppId = webApps.find(({ name }) => name === VISITED_APP)?.web_app_id ?? "";
  // The demo runs the component on the Console's own origin.
  await runAdmin(["origin", "add", "--web-app", webAppId, "--origin", url], env);
  const key = await adminTexts(["key", "create", ...of, "--name", "Checkout server"], env, "key_id", "api_key");
  return {
    ...(await makePurchases(service, sandbox)),
    ...(await makeIntegrations(env, workspaceId)),
    ...(await makeAnalysis(env, workspaceId)),
    joinUrl: invited.url,
    emptyHome: `${url}/w/${await makeEmptyWorkspace(env)}`,
    consentUrl: (await beginAuthorization(url)).url,
    webAppId,
    keyId: key.key_id,
    apiKey: key.api_key,
  };
}

export type Examples = Awaited<ReturnType<typeof openExampleService>>["examples"];

/** Opens a service with data of every kind and sandbox purchases, and a browser. */
export async function openExampleService({
  log,
  cleanUp,
  executablePath,
}: {
  log: (line: string) => void;
  cleanUp: CleanUp;
  executablePath: string;
}) {
  const sandbox = await startSandbox();
  cleanUp.push(() => sandbox.close());
  const service = await startFreshService({ log, cleanUp, variables: sandbox.variables });
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  cleanUp.push(() => browser.close());
  const workspaceId = await setUp(await browser.newPage(), service.setupUrl);
  const home = `${service.url}/w/${workspaceId}`;
  const filled = await fill(service, workspaceId, sandbox);
  // The owner has not verified the address yet, so creating the second workspace ended that session.
  const context = await browser.newContext();
  const found = await findExamples(await signIn(context, service.env, OWNER), home);
  await context.close();
  await callAsServer(service.url, filled.apiKey, found.imprint);
  const investigated = await openExampleCase(service.env, workspaceId, found);
  return { service, browser, examples: { home, ...filled, ...found, ...investigated } };
}

/** Opens a page on which `email` has just signed in. */
export async function signIn(context: BrowserContext, env: NodeJS.ProcessEnv, email: string): Promise<Page> {
  const page = await context.newPage();
  const { url } = await adminTexts(["login-link", "--email", email], env, "url");
  await page.goto(url);
  await page.getByRole("button", { name: /^Sign in as/ }).click();
  await page.waitForURL(/\/w\/ws_/);
  return page;
}

/** Makes a server's API calls: a Report twice, its History, and a Report that does not exist. */
async function callAsServer(url: string, apiKey: string, imprint: string): Promise<void> {
  const report = `/api/v1/fingerprint/report/${imprint}`;
  const missing = `/api/v1/fingerprint/report/imp_${"0".repeat(32)}`;
  for (const path of [report, report, `/api/v1/fingerprint/imprint/${imprint}/history`, missing])
    await fetch(url + path, { headers: { "X-API-Key": apiKey, "User-Agent": "checkout/2.4 (node)" } });
}

/** Creates a case as an analyst leaves it in the middle of an investigation. */
async function openExampleCase(
  env: NodeJS.ProcessEnv,
  workspaceId: string,
  { imprint, deviceId, accountId }: { imprint: string; deviceId: string; accountId: string },
) {
  const of = ["--workspace", workspaceId];
  const items = [imprint, deviceId, accountId, "192.0.2.8"].flatMap((item) => ["--item", item]);
  const create = ["case", "create", ...of, "--name", "Sign-ups of last night", ...items];
  const { case_id: caseId } = await adminTexts(create, env, "case_id");
  const ofCase = [...of, "--case", caseId];
  await runAdmin(["case", "assign", ...ofCase, "--email", ANALYST], env);
  await runAdmin(["case", "set-status", ...ofCase, "--status", "in_progress"], env);
  await runAdmin(["case", "comment", ...ofCase, "--text", "All of them come from one rented server."], env);
  return { caseId };
}

const MAX_DEVICES = 20;

/** Opens the first link to a page of a kind, and returns its URL. */
async function follow(page: Page, kind: string): Promise<string> {
  const href = (await page.locator(`a[href*="/${kind}"]`).first().getAttribute("href")) ?? "";
  await page.goto(new URL(href, page.url()).href);
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

/** Finds the newest deceptive Report, its device, and an account of a device, by navigating as a person would. */
async function findExamples(page: Page, home: string) {
  await page.goto(`${home}/reports?risk=DECEPTIVE&span=90d`);
  const other = await page.locator('a[href*="/reports/imp_"]').nth(1).getAttribute("href");
  const otherImprint = other?.split("/").at(-1) ?? "";
  const imprint = await follow(page, "reports/imp_");
  const deviceId = await follow(page, "devices/dev_");
  await page.goto(`${home}/devices`);
  const links = await page.locator('a[href*="/devices/dev_"]').all();
  const devices = await Promise.all(links.slice(0, MAX_DEVICES).map((link) => link.getAttribute("href")));
  for (const href of devices) {
    await page.goto(new URL(href ?? "", home).href);
    if ((await page.locator('a[href*="/accounts/acc_"]').count()) === 0) continue;
    return { imprint, otherImprint, deviceId, accountId: await follow(page, "accounts/acc_") };
  }
  throw new Error(`None of the ${devices.length} newest devices has an account.`);
}
