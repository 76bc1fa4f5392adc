/**
 * Runs purchases through schedules of faults on the product's own state machine.
 *
 *   npm run sim -- [--schedules 50000] [--seed 1] [--no-bugs] [--json] [--check]
 *
 * Each schedule is one seed: two purchases on one chain, with clients that pay twice or replay, unclear settlements,
 * dead processes, power failures, clock jumps and revocations. Seeded bugs show that the simulation finds what it is
 * for. `--json` prints one JSON object on stdout; `--check` exits 1 when a promise was broken, a bug was missed, or
 * fewer than 50,000 schedules ran.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

import { build } from "esbuild";

import { ROOT } from "./build/layout.mjs";

const FIGURES = { schedules: 50_000, bugs: 12, schedulesPerBug: 10_000 };

const { values: options } = parseArgs({
  options: {
    schedules: { type: "string", default: String(FIGURES.schedules) },
    seed: { type: "string", default: "1" },
    "no-bugs": { type: "boolean" },
    json: { type: "boolean" },
    check: { type: "boolean" },
    help: { type: "boolean" },
  },
});
if (options.help) {
  console.log("npm run sim -- [--schedules N] [--seed N] [--no-bugs] [--json] [--check]\nSee docs/agent-trial.md.");
  process.exit(0);
}

function wholeNumber(name) {
  const value = Number(options[name]);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a whole number above 0.`);
}

const progress = (text) => process.stderr.write(process.stderr.isTTY ? `\r${text.padEnd(70)}` : `${text}\n`);

async function loadSimulation() {
  const folder = await mkdtemp(join(tmpdir(), "imprint-sim-"));
  try {
    const outfile = join(folder, "sim.mjs");
    await build({
      absWorkingDir: ROOT,
      entryPoints: ["scripts/sim-entry.ts"],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      alias: { "@": ROOT },
      logLevel: "silent",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const { BUGS, findViolation, simulate } = await loadSimulation();
const [schedules, firstSeed] = [wholeNumber("schedules"), wholeNumber("seed")];
const startedAt = performance.now();
const summary = simulate({ firstSeed, schedules, onProgress: (done) => progress(`${done} of ${schedules} schedules`) });
const seconds = (performance.now() - startedAt) / 1000;
const bugs = options["no-bugs"]
  ? []
  : Object.entries(BUGS).map(([name, bug]) => {
      progress(`Looking for: ${name}`);
      const found = findViolation(bug, FIGURES.schedulesPerBug);
      return { name, seed: found?.seed ?? null, violation: found?.violation ?? null };
    });
const misses = [
  ...summary.violations.map(({ seed, violation }) => `seed ${seed}: ${violation}`),
  ...bugs.filter(({ seed }) => seed === null).map(({ name }) => `not found: ${name}`),
  ...(schedules < FIGURES.schedules ? [`${schedules} schedules, below ${FIGURES.schedules}`] : []),
  ...(bugs.length < FIGURES.bugs ? [`${bugs.length} bugs looked for, below ${FIGURES.bugs}`] : []),
];

if (options.json) console.log(JSON.stringify({ firstSeed, seconds, ...summary, bugs, misses }));
else {
  const row = (name, value) => console.log(`${name.padEnd(26)}${value}`);
  console.log("");
  row("Schedules", `${schedules} from seed ${firstSeed} in ${seconds.toFixed(1)} s`);
  row("Steps", summary.steps);
  row("Processes killed", summary.crashes);
  row("Payments made", summary.paid);
  row("Changes of status seen", summary.changes.length);
  row("Promises broken", summary.violations.length);
  for (const { name, seed, violation } of bugs)
    console.log(
      `  ${seed === null ? "MISSED" : `found at seed ${seed}`.padEnd(20)} ${name}${violation ? `: ${violation}` : ""}`,
    );
  for (const miss of misses) console.log(`MISSED  ${miss}`);
}
process.exitCode = summary.violations.length > 0 || (options.check && misses.length > 0) ? 1 : 0;
