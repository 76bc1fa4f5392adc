import type { Browser } from "playwright-core";

import { CHECK_OPTION, type CleanUp, JSON_OPTION, progress, runCommand } from "../../common/command";
import { openExampleService, OWNER, signIn } from "../../common/example-service";
import { markdownTable, median, printOutcome } from "../../common/report";
import { screenshotsOf } from "../../screenshots/pages";
import { findChromium } from "../../test/chromium.mjs";
import { interact } from "./interact";
import { type Load, loadPage, SLOW_PHONE } from "./load-page";

const PAGES = [
  ["start", "sign-in", "docs", "docs-concepts", "docs-api"],
  ["overview", "reports", "explore", "report", "devices", "device", "account", "address", "network", "linked"],
  ["rules", "rule", "case", "compare"],
  ["web-apps", "web-app", "usage", "keys", "key", "members", "audit", "privacy", "settings", "trials"],
].flat();

/** Interactive pages, for which response times are measured too. */
const WORKED_WITH = ["overview", "reports", "explore", "report", "device"];

/**
 * Limits in milliseconds. The last two are the "good" thresholds of https://web.dev/articles/lcp and
 * https://web.dev/articles/inp.
 */
const MAX_MS = { near: 1_000, slow: 2_500, interaction: 200 };
/** The "good" threshold of https://web.dev/articles/cls. */
const MAX_SHIFT = 0.1;

/** `largest` names the element painted last as the largest. */
type Paints = { firstMs: number; largestMs: number; largest: string };
type Row = { name: string; near: Paints; slow: Paints; shift: number; interactionMs: number | undefined };

const paintsOf = (loads: readonly Load[]): Paints => ({
  firstMs: Math.round(median(loads.map(({ firstMs }) => firstMs))),
  largestMs: Math.round(median(loads.map(({ largestMs }) => largestMs))),
  largest: loads.at(-1)?.largest ?? "",
});

type Options = Parameters<typeof loadPage>[2];

/** Median over rounds of the slowest interaction. */
async function measureInteractions(browser: Browser, name: string, url: string, rounds: number, options: Options) {
  const slowest: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const found = await interact(browser, url, options);
    slowest.push(found.slowestMs);
    progress(`${name.padEnd(16)}${found.count} interactions, slowest ${found.slowestMs} ms (${found.slowest})`);
  }
  return Math.round(median(slowest));
}

async function measurePage(browser: Browser, name: string, url: string, rounds: number, options: Options) {
  // A first load for the server, which loads a page's code on first request.
  await loadPage(browser, url, options);
  const loads = { near: [] as Load[], slow: [] as Load[] };
  for (let round = 0; round < rounds; round += 1) {
    loads.near.push(await loadPage(browser, url, options));
    loads.slow.push(await loadPage(browser, url, { ...options, conditions: SLOW_PHONE }));
  }
  const shift = Math.max(...[...loads.near, ...loads.slow].map((load) => load.shift));
  const interactionMs = WORKED_WITH.includes(name)
    ? await measureInteractions(browser, name, url, rounds, options)
    : undefined;
  return { name, near: paintsOf(loads.near), slow: paintsOf(loads.slow), shift, interactionMs };
}

async function measure(cleanUp: CleanUp, rounds: number, only: string) {
  const executablePath = await findChromium({ purpose: "Loading pages" });
  const { service, browser, examples } = await openExampleService({ log: progress, cleanUp, executablePath });
  const context = await browser.newContext();
  await signIn(context, service.env, OWNER);
  const storageState = await context.storageState();
  const rows: Row[] = [];
  for (const { name, path, as } of screenshotsOf(examples)) {
    if (!PAGES.includes(name) || !only.split(",").some((text) => name.includes(text))) continue;
    const options = as === "nobody" ? {} : { storageState };
    const row = await measurePage(browser, name, new URL(path, service.url).href, rounds, options);
    rows.push(row);
    progress(`${name.padEnd(16)}${row.near.largestMs} ms, slow ${row.slow.largestMs} ms (${row.slow.largest})`);
  }
  if (rows.length === 0) throw new Error(`No page has ${only} in its name.`);
  return { chromium: browser.version(), rows, rounds };
}

const missesOf = (rows: readonly Row[]) =>
  rows.flatMap(({ name, near, slow, shift, interactionMs = 0 }) => [
    ...(near.largestMs > MAX_MS.near ? [`${name}: ${near.largestMs} ms, more than ${MAX_MS.near}`] : []),
    ...(slow.largestMs > MAX_MS.slow ? [`${name}: ${slow.largestMs} ms when slow, more than ${MAX_MS.slow}`] : []),
    ...(interactionMs > MAX_MS.interaction
      ? [`${name}: an interaction of ${interactionMs} ms, more than ${MAX_MS.interaction}`]
      : []),
    ...(shift > MAX_SHIFT ? [`${name}: a layout shift of ${shift.toFixed(4)}, more than ${MAX_SHIFT}`] : []),
  ]);

await runCommand({
  name: "bench:pages",
  about:
    "Starts Imprint with an empty temporary database, fills it with demonstration data, and loads pages in Chromium with an empty cache: at this machine's speed, and as a phone on a slow network would (CPU four times slower, 1.6 Mbit/s, 150 ms). Prints per page the medians of First and Largest Contentful Paint and the largest layout shift of all loads; for interactive pages also the slowest interaction to next paint, by pointer and keyboard, with the CPU four times slower.",
  options: {
    rounds: { type: "number", default: 3, about: "loads per page and condition" },
    only: {
      type: "string",
      default: "",
      value: "TEXT",
      about: "only pages with TEXT in their name; separate several TEXTs by commas",
    },
    check: CHECK_OPTION,
    json: JSON_OPTION,
  },
  async run(values, cleanUp) {
    const result = await measure(cleanUp, values.rounds, values.only);
    return printOutcome(values, {
      result,
      misses: missesOf(result.rows),
      lines: () => [
        `Chromium ${result.chromium}, Node ${process.versions.node}`,
        ...markdownTable(
          ["page", "FCP ms", "LCP ms", "slow FCP ms", "slow LCP ms", "shift", "interaction ms"],
          result.rows.map(({ name, near, slow, shift, interactionMs = "" }) => {
            const moved = shift === 0 ? "0" : shift.toFixed(4);
            return [name, near.firstMs, near.largestMs, slow.firstMs, slow.largestMs, moved, interactionMs];
          }),
        ),
      ],
    });
  },
});
