/** `npm run screenshots`: a picture of every page in both themes, with an index.html to leaf through. */
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

import { chromium } from "playwright-core";

import { ROOT } from "./build/layout.mjs";
import { setUpActions, startFreshService } from "./demo/fresh-service.mjs";
import { runAdmin } from "./demo/processes.mjs";
import { writeAlbum } from "./screenshots/album.mjs";
import { shotsOf } from "./screenshots/pages.mjs";
import { findChromium } from "./test/chromium.mjs";

const HELP = `Usage: npm run screenshots [-- --out FOLDER] [-- --only TEXT]

Starts Imprint with an empty database of its own, fills it with demonstration data, and takes a
picture of every page in both themes at 1280 and 320 pixels. Exit code 1 when a page fails.

  --out FOLDER  where the pictures and index.html go (default .screenshots)
  --only TEXT   only the pages whose name contains TEXT
  --help        this text`;

const THEMES = /** @type {const} */ (["light", "dark"]);
const WIDTHS = [1280, 320];
const OWNER = "ada@example.com";
const CALLBACK = "http://localhost:9/callback";
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking"];

const { values } = parseArgs({
  options: { out: { type: "string" }, only: { type: "string" }, help: { type: "boolean" } },
});

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/** @type {(() => Promise<unknown> | unknown)[]} */
const undo = [];

async function stop(/** @type {number} */ code) {
  for (const step of undo.splice(0).reverse()) await step();
  process.exit(code);
}

/** The first set-up as an owner does it, who then also runs the instance. @param {import("playwright-core").Page} page @param {string} setupUrl */
async function setUp(page, setupUrl) {
  for (const { act } of setUpActions(page, { setupUrl, owner: OWNER })) await act();
  await page.waitForURL(/\/w\/ws_[0-9a-f]{32}$/);
  return page.url().split("/").at(-1) ?? "";
}

/** A workspace in which nothing has happened yet. @param {typeof runAdmin} admin @param {NodeJS.ProcessEnv} env */
async function makeEmptyWorkspace(admin, env) {
  const { workspace_id: workspaceId } = await admin(["workspace", "create", "--name", "Fresh"], env);
  await admin(["member", "add", "--workspace", workspaceId, "--email", OWNER, "--role", "owner"], env);
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

/** Data of every kind. @param {{ url: string, env: NodeJS.ProcessEnv }} service @param {string} workspaceId */
async function fill({ url, env }, workspaceId) {
  const admin = (/** @type {string[]} */ ...args) => runAdmin(args, env);
  const of = ["--workspace", workspaceId];
  await admin("demo-data", ...of);
  await admin("member", "add", ...of, "--email", "grace@example.com", "--role", "analyst");
  const invited = await admin("invitation", "create", ...of, "--email", "new@example.com", "--role", "developer");
  const { web_apps: webApps } = await admin("web-app", "list", ...of);
  const { keys } = await admin("key", "list", ...of);
  const [emptyId, consentUrl] = [await makeEmptyWorkspace(runAdmin, env), await registerClient(url)];
  const emptyHome = `${url}/w/${emptyId}`;
  return { joinUrl: invited.url, emptyHome, consentUrl, webAppId: webApps[0].web_app_id, keyId: keys[0].key_id, admin };
}

/** The address of the newest Report's page and of its device's, as a person finds them. @param {import("playwright-core").Page} page @param {string} home */
async function findExamples(page, home) {
  await page.goto(`${home}/reports?risk=DECEPTIVE&span=90d`);
  const report = await page.locator(`a[href*="/reports/imp_"]`).first().getAttribute("href");
  await page.goto(new URL(report ?? "", home).href);
  const device = await page.locator(`a[href*="/devices/dev_"]`).first().getAttribute("href");
  const last = (/** @type {string | null} */ href) => (href ?? "").split("/").at(-1)?.split("?")[0] ?? "";
  return { imprint: last(report), deviceId: last(device) };
}

/** @param {import("playwright-core").Page} page @param {import("./screenshots/pages.mjs").Shot} shot @param {string} base @param {string} file */
async function take(page, shot, base, file) {
  await page.goto(new URL(shot.path, base).href);
  await page.waitForLoadState("networkidle");
  if (shot.act) await shot.act(page);
  // What lies over a page covers the window, not the page.
  await page.screenshot({ path: file, fullPage: !shot.act, animations: "disabled" });
  return await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
}

async function main() {
  if (values.help) {
    say(HELP);
    return 0;
  }
  process.chdir(ROOT);
  const folder = path.resolve(values.out ?? ".screenshots");
  fs.mkdirSync(folder, { recursive: true });
  const executablePath = await findChromium({ purpose: "Taking pictures" });
  const service = await startFreshService({ say, undo });
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  undo.push(() => browser.close());
  const workspaceId = await setUp(await browser.newPage(), service.setupUrl);
  const scene = await fill(service, workspaceId);
  const home = `${service.url}/w/${workspaceId}`;
  const pictures = [];
  const faults = [];
  for (const theme of THEMES) {
    const visitor = await browser.newContext({ colorScheme: theme });
    const person = await browser.newContext({ colorScheme: theme });
    const signedIn = await person.newPage();
    await signedIn.goto((await scene.admin("login-link", "--email", OWNER)).url);
    await signedIn.getByRole("button", { name: /^Sign in as/ }).click();
    await signedIn.waitForURL(/\/w\/ws_/);
    const examples = await findExamples(signedIn, home);
    const stranger = await visitor.newPage();
    const shots = shotsOf({ home, ...scene, ...examples }).filter(({ name }) => name.includes(values.only ?? ""));
    for (const shot of shots) {
      const page = shot.isSignedIn ? signedIn : stranger;
      for (const width of WIDTHS) {
        const file = `${shot.name}-${theme}-${width}.png`;
        await page.setViewportSize({ width, height: 900 });
        const fits = await take(page, shot, service.url, path.join(folder, file));
        if (!fits) faults.push(`${file} is wider than the window`);
        const shown = new URL(shot.path, service.url).pathname;
        pictures.push({ name: shot.name, path: shown, file, theme, width });
      }
      say(`${theme.padEnd(6)}${shot.name}`);
    }
    await visitor.close();
    await person.close();
  }
  writeAlbum(folder, pictures);
  for (const fault of faults) say(`FAILED  ${fault}`);
  say(`${pictures.length} pictures in ${path.join(folder, "index.html")}`);
  return faults.length > 0 ? 1 : 0;
}

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, () => void stop(130));
try {
  await stop(await main());
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  await stop(1);
}
