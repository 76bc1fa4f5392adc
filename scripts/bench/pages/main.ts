/** `npm run bench:pages`: how soon the main part of each page is painted, and whether anything on it moves. */
import { parseArgs } from "node:util";

import { ROOT } from "./build/layout.mjs";
import { APART, loadPage } from "./bench-pages/load-page.mjs";
import { shotsOf } from "./screenshots/pages.mjs";
import { openScene, OWNER, signIn } from "./screenshots/scene.mjs";
import { findChromium } from "./test/chromium.mjs";

const HELP = `Usage: npm run bench:pages [-- --rounds N] [-- --only TEXT] [-- --check] [-- --json]

Starts Imprint with an empty database of its own, fills it with demonstration data, and loads pages
in Chromium with an empty cache: as this machine does, and as a phone on a slow network would (the
processor four times slower, 1.6 Mbit/s, 150 ms). Per page the medians of First and Largest
Contentful Paint, and the largest layout shift of all loads.

  --rounds N   loads of each page in each condition (default 3)
  --only TEXT  only the pages whose name contains TEXT
  --check      exit code 1 when a page misses its aim
  --json       one JSON object on stdout
  --help       this text`;

const PAGES = [
  ["start", "sign-in", "docs", "docs-concepts", "docs-api"],
  ["overview", "reports", "report", "devices", "device", "account", "address"],
  ["web-apps", "web-app", "usage", "keys", "key", "members", "audit", "privacy", "settings", "trials"],
].flat();

/** In milliseconds. The second is what https://web.dev/articles/lcp calls good. */
const MAX_MS = { near: 1_000, slow: 2_500 };
/** What https://web.dev/articles/cls calls good. */
const MAX_SHIFT = 0.1;

const { values } = parseArgs({
  options: {
    rounds: { type: "string" },
    only: { type: "string" },
    check: { type: "boolean" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  },
});

/** Progress: stdout belongs to the result. */
const say = (/** @type {string} */ line) => void process.stderr.write(`${line}\n`);

/** @type {(() => unknown)[]} */
const undo = [];

async function stop(/** @type {number} */ code) {
  for (const step of undo.splice(0).reverse()) await step();
  process.exit(code);
}

/** @param {readonly number[]} numbers */
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** @typedef {{ name: string, near: Paints, slow: Paints, shift: number }} Row */
/** @typedef {{ firstMs: number, largestMs: number }} Paints */

/** @param {readonly import("./bench-pages/load-page.mjs").Load[]} loads @returns {Paints} */
const paintsOf = (loads) => ({
  firstMs: Math.round(median(loads.map(({ firstMs }) => firstMs))),
  largestMs: Math.round(median(loads.map(({ largestMs }) => largestMs))),
});

/** @param {number} rounds @returns {Promise<{ chromium: string, rows: Row[] }>} */
async function measure(rounds) {
  const executablePath = await findChromium({ purpose: "Loading pages" });
  const { service, browser, scene } = await openScene({ say, undo, executablePath });
  const context = await browser.newContext();
  await signIn(context, service.env, OWNER);
  const storageState = await context.storageState();
  const wanted = (/** @type {string} */ name) => PAGES.includes(name) && name.includes(values.only ?? "");
  const rows = [];
  for (const { name, path, as } of shotsOf(scene).filter((shot) => wanted(shot.name))) {
    const url = new URL(path, service.url).href;
    const options = as === "nobody" ? {} : { storageState };
    // Once for the server, which loads a page's code when it is first asked for.
    await loadPage(browser, url, options);
    /** @type {{ near: import("./bench-pages/load-page.mjs").Load[], slow: import("./bench-pages/load-page.mjs").Load[] }} */
    const loads = { near: [], slow: [] };
    for (let round = 0; round < rounds; round += 1) {
      loads.near.push(await loadPage(browser, url, options));
      loads.slow.push(await loadPage(browser, url, { ...options, apart: APART }));
    }
    const shift = Math.max(...[...loads.near, ...loads.slow].map((load) => load.shift));
    const row = { name, near: paintsOf(loads.near), slow: paintsOf(loads.slow), shift };
    rows.push(row);
    say(`${name.padEnd(16)}${row.near.largestMs} ms, slow ${row.slow.largestMs} ms`);
  }
  return { chromium: browser.version(), rows };
}

/** @param {readonly Row[]} rows */
const missesOf = (rows) =>
  rows.flatMap(({ name, near, slow, shift }) => [
    ...(near.largestMs > MAX_MS.near ? [`${name}: ${near.largestMs} ms, more than ${MAX_MS.near}`] : []),
    ...(slow.largestMs > MAX_MS.slow ? [`${name}: ${slow.largestMs} ms when slow, more than ${MAX_MS.slow}`] : []),
    ...(shift > MAX_SHIFT ? [`${name}: a layout shift of ${shift.toFixed(4)}, more than ${MAX_SHIFT}`] : []),
  ]);

/** @param {{ chromium: string, rows: readonly Row[] }} result */
const table = ({ chromium, rows }) => [
  `Chromium ${chromium}, Node ${process.versions.node}`,
  "| page | FCP ms | LCP ms | slow FCP ms | slow LCP ms | shift |",
  "|---|---|---|---|---|---|",
  ...rows.map(
    ({ name, near, slow, shift }) =>
      `| ${name} | ${near.firstMs} | ${near.largestMs} | ${slow.firstMs} | ${slow.largestMs} | ${shift === 0 ? "0" : shift.toFixed(4)} |`,
  ),
];

async function main() {
  if (values.help) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  process.chdir(ROOT);
  const rounds = Number(values.rounds ?? 3);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds has to be a number from 1.");
  const result = await measure(rounds);
  if (result.rows.length === 0) throw new Error(`No page has ${values.only} in its name.`);
  const misses = missesOf(result.rows);
  const lines = [...table(result), ...misses.map((miss) => `MISSED  ${miss}`)];
  process.stdout.write(`${values.json ? JSON.stringify({ ...result, rounds, misses }) : lines.join("\n")}\n`);
  return values.check && misses.length > 0 ? 1 : 0;
}

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, () => void stop(130));
try {
  await stop(await main());
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  await stop(1);
}
