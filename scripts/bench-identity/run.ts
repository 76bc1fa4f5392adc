import { FingerprintGenerator } from "fingerprint-generator";

import { drawMachine } from "./draw-device";
import { imprint } from "./imprint";
import { exactHash, type Linker, stalkerRules, tokenOnly } from "./linkers";
import { type Figures, type Linked, measure } from "./metrics";
import { seededRandom } from "./random";
import { visitOf } from "./signals-of";
import { makeStream } from "./stream";

export const LINKERS: Readonly<Record<string, () => Linker>> = {
  imprint,
  "exact hash": exactHash,
  "token only": tokenOnly,
  "FP-Stalker rules": stalkerRules,
};

export type Result = { seed: number; rate: number; devices: number; visits: number; figures: Record<string, Figures> };

/** Runs every linker over one stream. */
export function runStream(
  options: { seed: number; rate: number; devices: number },
  say: (text: string) => void,
): Result {
  const generator = new FingerprintGenerator();
  const draw = (random: ReturnType<typeof seededRandom>) => drawMachine(generator, random);
  say("drawing the population");
  const stream = makeStream({ ...options, random: seededRandom(options.seed), draw });
  const observed = stream.map((sent) => ({ sent, visit: visitOf(sent) }));
  const figures: Record<string, Figures> = {};
  for (const [name, create] of Object.entries(LINKERS)) {
    say(`linking by ${name}`);
    const link = create();
    const seen = new Set<number>();
    const tokens = new Set<number>();
    const linked = observed.map((one): Linked => {
      const { device, token, machine } = one.sent;
      const row = {
        device,
        system: machine.system,
        id: link(one),
        isFirst: !seen.has(device),
        hasKnownToken: tokens.has(token),
      };
      seen.add(device);
      tokens.add(token);
      return row;
    });
    figures[name] = measure(linked);
  }
  return { ...options, visits: stream.length, figures };
}
