import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { checkFigures, printReliability, printResult } from "./bench-identity/figures";
import { printReplay, replayDump } from "./bench-identity/fp-stalker-dump";
import { learnPrior, PRIOR_SEEDS } from "./bench-identity/learn-prior";
import { type Result, runStream } from "./bench-identity/run";
import { type WorldName, WORLDS } from "./bench-identity/worlds";

const HELP = `npm run bench:identity -- [options]

  --world NAME[,N]   worlds to draw (site), or all:
${Object.entries(WORLDS)
  .map(([name, { about }]) => `                       ${name.padEnd(14)} ${about}`)
  .join("\n")}
  --seed N[,N]       streams to run (1,11,12); the shipped table was learnt on ${PRIOR_SEEDS.join(", ")}
  --rate R[,R]       factors on every change rate (1)
  --devices N        devices of the population (3600)
  --dump FILE        replay an FP-Stalker SQL dump by the paper's method instead
  --learn-prior FILE write the population table that the product ships
  --json             one JSON object on stdout
  --check            exit 1 when a figure is missed
  --help`;

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1,11,12" },
    world: { type: "string", default: "site" },
    rate: { type: "string", default: "1" },
    devices: { type: "string", default: "3600" },
    dump: { type: "string" },
    "learn-prior": { type: "string" },
    json: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const progress = (text: string) => {
  process.stderr.write(process.stderr.isTTY ? `\r${text.padEnd(70)}` : `${text}\n`);
};

function numbers(name: "seed" | "rate" | "devices", isWhole: boolean): number[] {
  const parsed = options[name].split(",").map(Number);
  if (parsed.every((value) => value > 0 && (!isWhole || Number.isInteger(value)))) return parsed;
  throw new Error(`--${name} must be ${isWhole ? "whole numbers" : "numbers"} above 0`);
}

const DEVICES_PER_SEED = 15_000;

const isWorld = (name: string): name is WorldName => Object.hasOwn(WORLDS, name);

function worlds(): WorldName[] {
  const names = options.world === "all" ? Object.keys(WORLDS) : options.world.split(",");
  const unknown = names.find((name) => !isWorld(name));
  if (unknown === undefined) return names.filter(isWorld);
  throw new Error(`There is no world "${unknown}". --help lists them.`);
}

/** FP-Stalker's rules compare a visit with every device: they are run where the worlds are compared with peers. */
const linkersOf = (world: WorldName) => (world === "site" ? undefined : ["imprint", "exact hash", "token only"]);

function runAll(): Result[] {
  const [devices = 0] = numbers("devices", true);
  const results: Result[] = [];
  for (const world of worlds())
    for (const seed of numbers("seed", true)) {
      if (PRIOR_SEEDS.includes(seed)) throw new Error(`Seed ${seed} is one that the shipped table was learnt on`);
      for (const rate of numbers("rate", false)) {
        const say = (text: string) => {
          progress(`${world}, seed ${seed}, rates x${rate}: ${text}`);
        };
        const result = runStream({ world, seed, rate, devices }, say, linkersOf(world));
        if (!options.json) printResult(result);
        results.push(result);
      }
    }
  return results;
}

function main(): void {
  if (options.help) {
    console.log(HELP);
    return;
  }
  if (options["learn-prior"] !== undefined) {
    const prior = learnPrior(PRIOR_SEEDS, DEVICES_PER_SEED, progress);
    writeFileSync(options["learn-prior"], `${JSON.stringify(prior)}\n`);
    return;
  }
  if (options.dump !== undefined) {
    const replay = replayDump(options.dump, progress);
    if (options.json) console.log(JSON.stringify(replay));
    else printReplay(replay);
    return;
  }
  const results = runAll();
  const misses = results.flatMap(checkFigures);
  if (options.json) console.log(JSON.stringify({ results, misses }));
  else {
    printReliability(results);
    for (const miss of misses) console.log(`MISSED  ${miss}`);
  }
  if (options.check && misses.length > 0) process.exitCode = 1;
}

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
