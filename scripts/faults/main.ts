/**
 * Kills the process that handles a purchase after each of its messages, and looks what became of the money. Then 50
 * clients use up the units of a trial, round after round, while their database connections are killed.
 *
 *   npm run faults -- [--kills 1000] [--rounds 200] [--seed 1] [--json] [--check] [--help]
 *
 * `--json` prints one JSON object on stdout; `--check` exits 1 when a promise was broken, fewer than 50 processes died,
 * or fewer than 20 rounds were counted.
 */
import { parseArgs } from "node:util";

import { loadBundle, progress, wholeNumber } from "./bench-database/bundle.mjs";

const LEAST = { kills: 50, rounds: 20 };

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "1000" },
    rounds: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean" },
    check: { type: "boolean" },
    help: { type: "boolean" },
  },
});

if (values.help) {
  console.log(
    "npm run faults -- [--kills 1000] [--rounds 200] [--seed 1] [--json] [--check]\n\n" +
      "  --kills N   processes that end by SIGKILL: one after each message of an activation, then two or three\n" +
      "              in a row of one purchase\n" +
      "  --rounds N  rounds of 50 clients on 100 units, every other one with killed connections\n" +
      "  --seed N    where those in a row die, what their buyers do, and in which order Reports are read",
  );
  process.exit(0);
}

const { runFaults } = await loadBundle("faults/run.ts");
const startedAt = performance.now();
const summary = await runFaults({
  kills: wholeNumber("kills", values.kills),
  rounds: wholeNumber("rounds", values.rounds),
  seed: wholeNumber("seed", values.seed),
  onProgress: progress,
});
const seconds = (performance.now() - startedAt) / 1000;
const misses = [
  ...summary.violations,
  ...summary.miscounts,
  ...(summary.kills < LEAST.kills ? [`${summary.kills} processes killed, below ${LEAST.kills}`] : []),
  ...(summary.rounds < LEAST.rounds ? [`${summary.rounds} rounds counted, below ${LEAST.rounds}`] : []),
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
  row("Rounds of 50 clients on 100 units", summary.rounds);
  row("Rounds that were miscounted", summary.miscounts.length);
  console.log("\nKilled after the answer to");
  for (const [message, count] of Object.entries(summary.killsByMessage).sort(([, a], [, b]) => b - a))
    console.log(`${String(count).padStart(6)}  ${message}`);
  for (const miss of misses) console.log(`MISSED  ${miss}`);
}
process.exitCode =
  summary.violations.length + summary.miscounts.length > 0 || (values.check && misses.length > 0) ? 1 : 0;
