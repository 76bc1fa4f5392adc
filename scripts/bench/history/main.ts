/**
 * Measures History on a device with a million visits beside one with a hundred, and beside counting every visit.
 *
 *   npm run bench:history -- [--events 1000000] [--runs 400] [--json] [--check] [--help]
 *
 * `--json` prints one JSON object on stdout; `--check` exits 1 when a figure is missed.
 */
import { parseArgs } from "node:util";

import { loadBundle, progress, wholeNumber } from "./bench-database/bundle.mjs";

/** A busy device may cost this many times the pages of a quiet one: deeper indexes, and days without visits. */
const MAX_PAGES = 3;

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "1000000" },
    runs: { type: "string", default: "400" },
    json: { type: "boolean" },
    check: { type: "boolean" },
    help: { type: "boolean" },
  },
});

if (values.help) {
  console.log(
    "npm run bench:history -- [--events 1000000] [--runs 400] [--json] [--check]\n\n" +
      "  --events N  visits of the busy device, over 90 days\n" +
      "  --runs N    reads of each range",
  );
  process.exit(0);
}

const { runBench } = await loadBundle("bench-history/run.ts");
const { rows } = await runBench({
  events: wholeNumber("events", values.events),
  runs: wholeNumber("runs", values.runs),
  progress,
});
const byPosition = rows.filter(({ title }) => title === "by position");
const misses = byPosition
  .filter(({ events, days, pages }) => {
    const quiet = byPosition.find((row) => row.days === days && row.events < events);
    return quiet !== undefined && pages > MAX_PAGES * quiet.pages;
  })
  .map(({ days, pages }) => `${days} days: ${pages} pages on the busy device, above ${MAX_PAGES} x the quiet one`);

if (values.json) console.log(JSON.stringify({ rows, misses }));
else {
  const head = ["visits", "days", "rows read", "pages", "p50 ms", "p99 ms"];
  console.log(`\n${"".padEnd(22)}${head.map((name) => name.padStart(11)).join("")}`);
  for (const { title, events, days, rowsRead, pages, p50Ms, p99Ms } of rows)
    console.log(
      `${title.padEnd(22)}${[events, days, rowsRead, pages, p50Ms, p99Ms].map((value) => String(value).padStart(11)).join("")}`,
    );
  for (const miss of misses) console.log(`MISSED  ${miss}`);
}
if (values.check && misses.length > 0) process.exitCode = 1;
