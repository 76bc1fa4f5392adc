import { setImmediate as turn } from "node:timers/promises";

import { FingerprintGenerator } from "fingerprint-generator";

import { drawMachine } from "./draw-device";
import { imprint, type Watch } from "./imprint";
import { exactHash, type Linker, type Observed, stalkerRules, tokenOnly } from "./linkers";
import { type Figures, type Linked, measure } from "./metrics";
import { type Random, seededRandom } from "../../common/random";
import { visitOf } from "./signals-of";
import { makeStream } from "./stream";
import { type World, type WorldName, WORLDS } from "./worlds";

const LINKERS: Readonly<Record<string, (watch: Watch) => Linker>> = {
  imprint,
  "exact hash": exactHash,
  "token only": tokenOnly,
  "FP-Stalker rules": stalkerRules,
};

/** Links by evidence per stated confidence, and how many of them were right. */
type Reliability = Record<string, { links: number; right: number }>;

export type Result = {
  world: WorldName;
  seed: number;
  rate: number;
  devices: number;
  visits: number;
  figures: Record<string, Figures>;
  reliability: Reliability;
};

/** Visits between two turns of the event loop, in which a signal can end the command. */
const VISITS_PER_TURN = 1_000;

async function linkAll(
  observed: readonly Observed[],
  create: (watch: Watch) => Linker,
  reliability: Reliability,
): Promise<Linked[]> {
  const devicesOfId = new Map<number, Set<number>>();
  const [seen, tokens] = [new Set<number>(), new Set<number>()];
  let current: Observed | undefined;
  const link = create((found, id) => {
    if (found.outcome !== "linked" || current === undefined) return;
    const bin = (reliability[found.confidence.toFixed(2)] ??= { links: 0, right: 0 });
    bin.links += 1;
    bin.right += Number(devicesOfId.get(id)?.has(current.sent.device) === true);
  });
  const rows: Linked[] = [];
  for (const [index, one] of observed.entries()) {
    if (index % VISITS_PER_TURN === 0) await turn();
    const { device, token, machine } = one.sent;
    current = one;
    const id = link(one);
    const row = { device, system: machine.system, id, isFirst: !seen.has(device), hasKnownToken: tokens.has(token) };
    devicesOfId.set(id, (devicesOfId.get(id) ?? new Set()).add(device));
    seen.add(device);
    tokens.add(token);
    rows.push(row);
  }
  return rows;
}

type Options = { world: WorldName; seed: number; rate: number; devices: number; hasServerCookie?: boolean };

/** Runs the given linkers (default: all) over one stream. */
export async function runStream(
  options: Options,
  say: (text: string) => void,
  linkers: readonly string[] = Object.keys(LINKERS),
): Promise<Result> {
  const generator = new FingerprintGenerator();
  const world: World = WORLDS[options.world];
  const draw = (random: Random, of: World) => drawMachine(generator, random, of);
  say("generating the population");
  const stream = makeStream({ ...options, world, random: seededRandom(options.seed), draw });
  const observed = stream.map((sent) => ({ sent, visit: visitOf(sent) }));
  const figures: Record<string, Figures> = {};
  const reliability: Reliability = {};
  for (const name of linkers) {
    const create = LINKERS[name];
    if (create === undefined) continue;
    say(`linking with ${name}`);
    figures[name] = measure(await linkAll(observed, create, reliability));
  }
  return { ...options, visits: stream.length, figures, reliability };
}
