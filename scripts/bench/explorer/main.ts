/**
 * Measures what the Console's pages for exploring visits read, on a workspace with a million of them.
 *
 *   npm run bench:explorer -- [--visits 1000000] [--runs 12] [--json] [--check] [--help]
 *
 * `--json` prints one JSON object on stdout; `--check` exits 1 when a figure is missed.
 */
import { parseArgs } from "node:util";

import { loadBundle, progress, wholeNumber } from "./bench-database/bundle.mjs";

/** Every read ends within this, less than half of the deadline that the database keeps. */
const MAX_MS = 2_000;

const { values } = parseArgs({
  options: {
    visits: { type: "string", default: "1000000" },
    runs: { type: "string", default: "12" },
    json: { type: "boolean" },
    check: { type: "boolean" },
    help: { type: "boolean" },
  },
});

if (values.help) {
  console.log(
    "npm run bench:explorer -- [--visits 1000000] [--runs 12] [--json] [--check]\n\n" +
      "  --visits N  visits of the workspace, over 90 days\n" +
      "  --runs N    reads of each page",
  );
  process.exit(0);
}

const { runBench } = await loadBundle("bench-explorer/run.ts");
const { visits, rows } = await runBench({
  visits: wholeNumber("visits", values.visits),
  runs: wholeNumber("runs", values.runs),
  progress,
});
const misses = rows
  .filter(({ maxMs }) => maxMs > MAX_MS)
  .map(({ title, maxMs }) => `${title}: ${maxMs} ms, above ${MAX_MS}`);

if (values.json) console.log(JSON.stringify({ visits, rows, misses }));
else {
  console.log(`\n${visits} visits${["p50 ms", "p99 ms", "max ms"].map((name) => name.padStart(11)).join("")}`);
  for (const { title, p50Ms, p99Ms, maxMs } of rows)
    console.log(`${title.padEnd(22)}${[p50Ms, p99Ms, maxMs].map((value) => String(value).padStart(11)).join("")}`);
  for (const miss of misses) console.log(`MISSED  ${miss}`);
}
if (values.check && misses.length > 0) process.exitCode = 1;
