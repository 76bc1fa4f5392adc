/**
 * `npm run bench:first-run`: from the start of a built tree to the first Report in sight, as a new admin gets there.
 */
import http from "node:http";
import { parseArgs } from "node:util";

import { chromium } from "playwright-core";

import { ensureBuilt } from "./build/ensure.mjs";
import { ROOT } from "./build/layout.mjs";
import { setUpActions, startFreshService } from "./demo/fresh-service.mjs";
import { findChromium } from "./test/chromium.mjs";

const HELP = `Usage: npm run bench:first-run [-- --check] [--json]

Starts Imprint on an empty folder, and does in a browser what a new admin does until the first
Report is in sight: a page of an origin that is not on the list is refused, allowed, and loaded again.

  --check  exit code 1 beyond 60 seconds or 12 actions
  --json   one JSON object on stdout
  --help   this text`;

const MAX_SECONDS = 60;
const MAX_ACTIONS = 12;
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];

const { values } = parseArgs({
  options: { check: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean" } },
});

/** Progress: stdout belongs to the result. */
const say = (/** @type {string} */ line) => void process.stderr.write(`${line}\n`);

/** @type {(() => unknown)[]} */
const undo = [];

async function stop(/** @type {number} */ code) {
  for (const step of undo.splice(0).reverse()) await step();
  process.exit(code);
}

/** A site that runs the component. @param {string} serviceUrl @param {string} environmentId */
async function openWebsite(serviceUrl, environmentId) {
  const html = `<!doctype html><title>Shop</title><script src="${serviceUrl}/v1/imprint.js"></script>
    <script type="module">Imprint.createImprint({ environmentId: "${environmentId}" }).run();</script>`;
  const server = http.createServer((_request, answer) => answer.setHeader("Content-Type", "text/html").end(html));
  await new Promise((done) => server.listen(0, "127.0.0.1", () => done(undefined)));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The site has no port.");
  return { url: `http://localhost:${address.port}`, close: () => server.close() };
}

/**
 * @param {import("playwright-core").Browser} browser
 * @param {{ url: string, setupUrl: string }} service
 * @param {(name: string, act: () => Promise<unknown>) => Promise<void>} step
 */
async function runFirst(browser, { url, setupUrl }, step) {
  const context = await browser.newContext();
  const [page, visitor] = [await context.newPage(), await context.newPage()];
  await page.bringToFront();
  let environmentId = "";
  for (const { name, act } of setUpActions(page, { setupUrl, owner: "ada@example.com" })) {
    await step(name, act);
    if (name === "set up") environmentId = (await page.getByText(/^env_[0-9a-f]{32}$/).textContent()) ?? "";
  }
  const site = await openWebsite(url, environmentId);
  undo.push(site.close);
  await step("open the site, which is refused", () => visitor.goto(site.url));
  await page.bringToFront();
  await step("allow its origin", () => page.getByRole("button", { name: "Allow this origin" }).click());
  await page.getByText("It is allowed now").waitFor();
  await step("load the site again", () => visitor.reload());
  await page.bringToFront();
  await step("open the Report", async () => {
    await page.getByRole("link", { name: "Open the Report" }).click();
    await page.getByRole("heading", { name: "Findings" }).waitFor();
  });
}

async function measure() {
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say });
  const executablePath = await findChromium({ purpose: "The first run" });
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  undo.push(() => browser.close());
  const startedAt = performance.now();
  const seconds = () => Number(((performance.now() - startedAt) / 1_000).toFixed(1));
  const service = await startFreshService({ say, undo });
  const readySeconds = seconds();
  /** @type {{ name: string, atSeconds: number }[]} */
  const actions = [];
  await runFirst(browser, service, async (name, act) => {
    await act();
    actions.push({ name, atSeconds: seconds() });
  });
  return { readySeconds, actions, totalSeconds: seconds() };
}

async function main() {
  if (values.help) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  process.chdir(ROOT);
  const { readySeconds, actions, totalSeconds } = await measure();
  const misses = [
    ...(totalSeconds >= MAX_SECONDS ? [`${totalSeconds} s, not under ${MAX_SECONDS} s`] : []),
    ...(actions.length > MAX_ACTIONS ? [`${actions.length} actions, more than ${MAX_ACTIONS}`] : []),
  ];
  const lines = [
    `${"ready to be set up".padEnd(34)}${String(readySeconds).padStart(8)} s`,
    ...actions.map(({ name, atSeconds }, at) => `${`${at + 1} ${name}`.padEnd(34)}${String(atSeconds).padStart(8)} s`),
    ...misses.map((miss) => `MISSED  ${miss}`),
  ];
  const text = values.json ? JSON.stringify({ readySeconds, actions, totalSeconds, misses }) : lines.join("\n");
  process.stdout.write(`${text}\n`);
  return values.check && misses.length > 0 ? 1 : 0;
}

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, () => void stop(130));
try {
  await stop(await main());
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  await stop(1);
}
