import type { Browser } from "playwright-core";

import { CHECK_OPTION, type CleanUp, JSON_OPTION, progress, runCommand, wholeNumber } from "../../common/command";
import { openExampleService, OWNER, signIn } from "../../common/example-service";
import { markdownTable, median, printOutcome } from "../../common/report";
import { screenshotsOf } from "../../screenshots/pages";
import { findChromium } from "../../test/chromium.mjs";
import { type Load, loadPage, SLOW_PHONE } from "./load-page";

const PAGES = [
  ["start", "sign-in", "docs", "docs-concepts", "docs-api"],
  ["overview", "reports", "report", "devices", "device", "account", "address"],
  ["web-apps", "web-app", "usage", "keys", "key", "members", "audit", "privacy", "settings", "trials"],
].flat();

/** In milliseconds. The second is what https://web.dev/articles/lcp calls good. */
const MAX_MS = { near: 1_000, slow: 2_500 };
/** What https://web.dev/articles/cls calls good. */
const MAX_SHIFT = 0.1;

type Paints = { firstMs: number; largestMs: number };
type Row = { name: string; near: Paints; slow: Paints; shift: number };

const paintsOf = (loads: readonly Load[]): Paints => ({
  firstMs: Math.round(median(loads.map(({ firstMs }) => firstMs))),
  largestMs: Math.round(median(loads.map(({ largestMs }) => largestMs))),
});

type Options = Parameters<typeof loadPage>[2];

async function measurePage(browser: Browser, name: string, url: string, rounds: number, options: Options) {
  // Once for the server, which loads a page's code when it is first asked for.
  await loadPage(browser, url, options);
  const loads = { near: [] as Load[], slow: [] as Load[] };
  for (let round = 0; round < rounds; round += 1) {
    loads.near.push(await loadPage(browser, url, options));
    loads.slow.push(await loadPage(browser, url, { ...options, conditions: SLOW_PHONE }));
  }
  const shift = Math.max(...[...loads.near, ...loads.slow].map((load) => load.shift));
  return { name, near: paintsOf(loads.near), slow: paintsOf(loads.slow), shift };
}

async function measure(cleanUp: CleanUp, rounds: number, only: string) {
  const executablePath = await findChromium({ purpose: "Loading pages" });
  const { service, browser, examples } = await openExampleService({ log: progress, cleanUp, executablePath });
  const context = await browser.newContext();
  await signIn(context, service.env, OWNER);
  const storageState = await context.storageState();
  const rows: Row[] = [];
  for (const { name, path, as } of screenshotsOf(examples)) {
    if (!PAGES.includes(name) || !name.includes(only)) continue;
    const options = as === "nobody" ? {} : { storageState };
    const row = await measurePage(browser, name, new URL(path, service.url).href, rounds, options);
    rows.push(row);
    progress(`${name.padEnd(16)}${row.near.largestMs} ms, slow ${row.slow.largestMs} ms`);
  }
  if (rows.length === 0) throw new Error(`No page has ${only} in its name.`);
  return { chromium: browser.version(), rows, rounds };
}

const missesOf = (rows: readonly Row[]) =>
  rows.flatMap(({ name, near, slow, shift }) => [
    ...(near.largestMs > MAX_MS.near ? [`${name}: ${near.largestMs} ms, more than ${MAX_MS.near}`] : []),
    ...(slow.largestMs > MAX_MS.slow ? [`${name}: ${slow.largestMs} ms when slow, more than ${MAX_MS.slow}`] : []),
    ...(shift > MAX_SHIFT ? [`${name}: a layout shift of ${shift.toFixed(4)}, more than ${MAX_SHIFT}`] : []),
  ]);

await runCommand({
  name: "bench:pages",
  about:
    "Starts Imprint with an empty database of its own, fills it with demonstration data, and loads pages in Chromium with an empty cache: as this machine does, and as a phone on a slow network would (the processor four times slower, 1.6 Mbit/s, 150 ms). Per page the medians of First and Largest Contentful Paint, and the largest layout shift of all loads.",
  options: {
    rounds: { type: "string", default: "3", value: "N", about: "loads of each page in each condition" },
    only: { type: "string", default: "", value: "TEXT", about: "only the pages whose name contains TEXT" },
    check: CHECK_OPTION,
    json: JSON_OPTION,
  },
  async run(values, cleanUp) {
    const result = await measure(cleanUp, wholeNumber("rounds", values.rounds), values.only);
    return printOutcome(values, {
      result,
      misses: missesOf(result.rows),
      lines: () => [
        `Chromium ${result.chromium}, Node ${process.versions.node}`,
        ...markdownTable(
          ["page", "FCP ms", "LCP ms", "slow FCP ms", "slow LCP ms", "shift"],
          result.rows.map(({ name, near, slow, shift }) => {
            const moved = shift === 0 ? "0" : shift.toFixed(4);
            return [name, near.firstMs, near.largestMs, slow.firstMs, slow.largestMs, moved];
          }),
        ),
      ],
    });
  },
});
