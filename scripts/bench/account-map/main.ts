/**
 * Checks Account Map against its definition under 50 concurrent clients, then measures it among many links.
 *
 *   npm run bench:account-map -- [--seeds 100] [--seed 1] [--links 1000000] [--samples 2000] [--json] [--check] [--help]
 *
 * `--json` prints one JSON object on stdout; `--check` exits 1 when a figure is missed.
 */
import { parseArgs } from "node:util";

import { loadBundle, progress, wholeNumber } from "./bench-database/bundle.mjs";

/** Longest p99 in milliseconds at a million links. */
const FIGURES = { typical: 10, hotDevice: 50 };

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    links: { type: "string", default: "1000000" },
    samples: { type: "string", default: "2000" },
    json: { type: "boolean" },
    check: { type: "boolean" },
    help: { type: "boolean" },
  },
});

if (values.help) {
  console.log(
    "npm run bench:account-map -- [--seeds 100] [--seed 1] [--links 1000000] [--samples 2000] [--json] [--check]\n\n" +
      "  --seeds N    seeds of about 4,000 links each that are checked against the definition\n" +
      "  --seed N     the first of them, and what the measured links are drawn from\n" +
      "  --links N    links among which it is measured\n" +
      "  --samples N  measured links of the typical case",
  );
  process.exit(0);
}

const { runBench } = await loadBundle("bench-account-map/run.ts");
const result = await runBench({
  seed: wholeNumber("seed", values.seed),
  seeds: wholeNumber("seeds", values.seeds),
  links: wholeNumber("links", values.links),
  samples: wholeNumber("samples", values.samples),
  progress,
});
const misses = [
  ...result.correctness.violations.slice(0, 10),
  ...result.cases
    .filter(({ name, p99Ms }) => p99Ms > (FIGURES[name] ?? Number.POSITIVE_INFINITY))
    .map(({ title, p99Ms, name }) => `${title}: p99 ${p99Ms} ms, above ${FIGURES[name]} ms`),
];

if (values.json) console.log(JSON.stringify({ ...result, misses }));
else {
  const { seeds, calls, aborted, checked, compared, violations } = result.correctness;
  console.log(`\n${seeds} seeds, 50 connections: ${calls} links, ${aborted} of them aborted once`);
  console.log(
    `${checked} answers within their bounds while running, ${compared} compared at rest: ${violations.length} violations\n`,
  );
  console.log(
    `${`Among ${result.links} links`.padEnd(32)}${"related rows".padStart(13)}${"runs".padStart(7)}${"p50 ms".padStart(9)}${"p99 ms".padStart(9)}${"max ms".padStart(9)}`,
  );
  for (const { title, related, runs, p50Ms, p99Ms, maxMs } of result.cases)
    console.log(
      `${title.padEnd(32)}${String(related || "-").padStart(13)}${String(runs).padStart(7)}${[p50Ms, p99Ms, maxMs].map((ms) => String(ms).padStart(9)).join("")}`,
    );
  for (const miss of misses) console.log(`MISSED  ${miss}`);
}
if (values.check && misses.length > 0) process.exitCode = 1;
