/** `npm run screenshots`: a picture of every page in both themes, with an index.html to leaf through. */
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

import { ROOT } from "./build/layout.mjs";
import { writeAlbum } from "./screenshots/album.mjs";
import { shotsOf } from "./screenshots/pages.mjs";
import { ANALYST, openScene, OWNER, signIn } from "./screenshots/scene.mjs";
import { withoutTable } from "./screenshots/tables.mjs";
import { findChromium } from "./test/chromium.mjs";

const HELP = `Usage: npm run screenshots [-- --out FOLDER] [-- --only TEXT]

Starts Imprint with an empty database of its own, fills it with demonstration data and purchases in
a sandbox, and takes a picture of every page in both themes at 1280 and 320 pixels, of pages that
wait, fail or are not permitted too. Exit code 1 when a page fails or is wider than its window.

  --out FOLDER  where the pictures and index.html go (default .screenshots)
  --only TEXT   only the pages whose name contains TEXT
  --help        this text`;

const THEMES = /** @type {const} */ (["light", "dark"]);
const WIDTHS = [1280, 320];

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("./screenshots/pages.mjs").Shot} Shot */

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

/** Loads a page; one that waits for its data is taken as it waits. @param {Page} page @param {Shot} shot @param {string} base */
async function open(page, { path: address, act, missing }, base) {
  const url = new URL(address, base).href;
  if (missing?.how === "locked") {
    await page.goto(url, { waitUntil: "commit" });
    await page.locator('[role="status"][aria-label^="Loading"]').first().waitFor();
    return;
  }
  await page.goto(url);
  await page.waitForLoadState("networkidle");
  if (act) await act(page);
}

/** @param {Page} page @param {Shot} shot @param {{ url: string, dataDir: string }} service @param {string} file */
async function take(page, shot, { url, dataDir }, file) {
  let fits = false;
  const work = async () => {
    await open(page, shot, url);
    // What lies over a page covers the window, not the page.
    await page.screenshot({ path: file, fullPage: !shot.isOverPage, animations: "disabled" });
    fits = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  };
  if (shot.missing) await withoutTable({ dataDir, ...shot.missing }, work);
  else await work();
  return fits;
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
  const { service, browser, scene } = await openScene({ say, undo, executablePath });
  /** @type {import("./screenshots/album.mjs").Picture[]} */
  const pictures = [];
  /** @type {string[]} */
  const faults = [];
  for (const theme of THEMES) {
    const newContext = () => browser.newContext({ colorScheme: theme });
    const people = {
      nobody: await (await newContext()).newPage(),
      owner: await signIn(await newContext(), service.env, OWNER),
      analyst: await signIn(await newContext(), service.env, ANALYST),
    };
    const shots = shotsOf(scene).filter(({ name }) => name.includes(values.only ?? ""));
    for (const shot of shots) {
      const page = people[shot.as];
      for (const width of WIDTHS) {
        const file = `${shot.name}-${theme}-${width}.png`;
        await page.setViewportSize({ width, height: 900 });
        const fits = await take(page, shot, service, path.join(folder, file));
        if (!fits) faults.push(`${file} is wider than the window`);
        const shown = new URL(shot.path, service.url).pathname;
        pictures.push({ name: shot.name, path: shown, file, theme, width });
      }
      say(`${theme.padEnd(6)}${shot.name}`);
    }
    for (const page of Object.values(people)) await page.context().close();
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
