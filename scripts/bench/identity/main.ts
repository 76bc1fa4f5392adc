import { writeFileSync } from "node:fs";

import { CHECK_OPTION, JSON_OPTION, progress, runCommand } from "../../common/command";
import { printOutcome } from "../../common/report";
import { checkFigures, printReliability, printResult } from "./figures";
import { printReplay, replayDump } from "./fp-stalker-dump";
import { learnPrior, PRIOR_SEEDS } from "./learn-prior";
import { type Result, runStream } from "./run";
import { type WorldName, WORLDS } from "./worlds";

const OPTIONS = {
  world: { type: "string", default: "site", value: "NAME[,NAME]", about: "worlds to simulate, or all; see below" },
  seed: {
    type: "numbers",
    default: "1,11,12",
    about: `seeds of the streams to run; the shipped table was learnt on ${PRIOR_SEEDS.join(", ")}`,
  },
  rate: { type: "string", default: "1", value: "R[,R]", about: "factors applied to every change rate" },
  devices: { type: "number", default: 3600, about: "number of devices in the population" },
  cookies: {
    type: "boolean",
    about:
      "keep tokens in a cookie of the site's server, as imprintProxy does, so that Safari's 7-day limit does not apply",
  },
  dump: { type: "string", value: "FILE", about: "replay an FP-Stalker SQL dump by the paper's method instead" },
  "learn-prior": { type: "string", value: "FILE", about: "write the population table that ships with the product" },
  json: JSON_OPTION,
  check: CHECK_OPTION,
} as const;

const DEVICES_PER_SEED = 15_000;

const isWorld = (name: string): name is WorldName => Object.hasOwn(WORLDS, name);

function worldsOf(text: string): WorldName[] {
  const names = text === "all" ? Object.keys(WORLDS) : text.split(",");
  const unknown = names.find((name) => !isWorld(name));
  if (unknown === undefined) return names.filter(isWorld);
  throw new Error(`There is no world "${unknown}". See --help for the list.`);
}

function ratesOf(text: string): number[] {
  const rates = text.split(",").map(Number);
  if (rates.every((rate) => rate > 0)) return rates;
  throw new Error("--rate must be numbers above 0.");
}

/** FP-Stalker's rules compare a visit with every device, so they run only in the world that is compared with peers. */
const linkersOf = (world: WorldName) => (world === "site" ? undefined : ["imprint", "exact hash", "token only"]);

type Streams = { worlds: WorldName[]; seeds: number[]; rates: number[]; devices: number; hasServerCookie: boolean };

async function runAll(
  { worlds, seeds, rates, devices, hasServerCookie }: Streams,
  onResult: (result: Result) => void,
): Promise<Result[]> {
  const known = seeds.find((seed) => PRIOR_SEEDS.includes(seed));
  if (known !== undefined) throw new Error(`The shipped table was learnt on seed ${known}: choose another one.`);
  const streams = worlds.flatMap((world) => seeds.flatMap((seed) => rates.map((rate) => ({ world, seed, rate }))));
  const results: Result[] = [];
  for (const { world, seed, rate } of streams) {
    const say = (text: string) => {
      progress(`${world}, seed ${seed}, rates x${rate}: ${text}`);
    };
    const result = await runStream({ world, seed, rate, devices, hasServerCookie }, say, linkersOf(world));
    onResult(result);
    results.push(result);
  }
  return results;
}

await runCommand({
  name: "bench:identity",
  about: "Measures device recognition on a synthetic stream of visits and compares it with three baselines.",
  options: OPTIONS,
  notes: `Worlds:\n${Object.entries(WORLDS)
    .map(([name, { about }]) => `  ${name.padEnd(14)} ${about}`)
    .join("\n")}`,
  async run(values) {
    const priorFile = values["learn-prior"];
    if (priorFile !== undefined) {
      const prior = learnPrior(PRIOR_SEEDS, DEVICES_PER_SEED, progress);
      writeFileSync(priorFile, `${JSON.stringify(prior)}\n`);
      return 0;
    }
    if (values.dump !== undefined) {
      const replay = replayDump(values.dump, progress);
      if (values.json) console.log(JSON.stringify(replay));
      else printReplay(replay);
      return 0;
    }
    const streams = {
      worlds: worldsOf(values.world),
      seeds: values.seed,
      rates: ratesOf(values.rate),
      devices: values.devices,
      hasServerCookie: values.cookies === true,
    };
    const results = await runAll(streams, (result) => {
      if (!values.json) printResult(result);
    });
    if (!values.json) printReliability(results);
    return printOutcome(values, { result: { results }, lines: () => [], misses: results.flatMap(checkFigures) });
  },
});
