/**
 * Kills the process that handles a purchase after each of its messages, and looks what became of the money.
 *
 *   npm run faults -- [--kills 1000] [--seed 1] [--json] [--check] [--help]
 *
 * `--json` prints one JSON object on stdout; `--check` exits 1 when a promise was broken or fewer than 50 processes died.
 */
import { parseArgs } from "node:util";

import { loadBundle, progress, wholeNumber } from "./bench-database/bundle.mjs";

const LEAST_KILLS = 50;

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean" },
    check: { type: "boolean" },
    help: { type: "boolean" },
  },
});

if (values.help) {
  console.log(
    "npm run faults -- [--kills 1000] [--seed 1] [--json] [--check]\n\n" +
      "  --kills N  processes that end by SIGKILL: one after each message of an activation, then two or three\n" +
      "             in a row of one purchase\n" +
      "  --seed N   where those in a row die, and what their buyers do",
  );
  process.exit(0);
}

const { runFaults } = await loadBundle("faults/run.ts");
const startedAt = performance.now();
const summary = await runFaults({
  kills: wholeNumber("kills", values.kills),
  seed: wholeNumber("seed", values.seed),
  onProgress: progress,
});
const seconds = (performance.now() - startedAt) / 1000;
const misses = [
  ...summary.violations,
  ...(summary.kills < LEAST_KILLS ? [`${summary.kills} processes killed, below ${LEAST_KILLS}`] : []),
];

if (values.json) console.log(JSON.stringify({ seed: Number(values.seed), seconds, ...summary, misses }));
else {
  const row = (name, value) => console.log(`${name.padEnd(44)}${value}`);
  console.log("");
  row("Seed", values.seed);
  row("Seconds", seconds.toFixed(1));
  row("Purchases", summary.purchases);
  row("Messages of an undisturbed activation", summary.messages.length);
  row("Processes killed", summary.kills);
  row("Paid by a second signature, after a proof", summary.paidAnew);
  row("Promises broken", summary.violations.length);
  console.log("\nKilled after the answer to");
  for (const [message, count] of Object.entries(summary.killsByMessage).sort(([, a], [, b]) => b - a))
    console.log(`${String(count).padStart(6)}  ${message}`);
  for (const miss of misses) console.log(`MISSED  ${miss}`);
}
process.exitCode = summary.violations.length > 0 || (values.check && misses.length > 0) ? 1 : 0;
