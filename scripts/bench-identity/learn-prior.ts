import { FingerprintGenerator } from "fingerprint-generator";

import { hardwareText, shortHash } from "@/lib/devices/domain/traits";
import { observeTraits } from "@/lib/devices/observe-traits";
import { identify } from "@/lib/risk";
import { drawMachine } from "./draw-device";
import { seededRandom } from "./random";
import { firstVisitOf } from "./signals-of";

/** The product is measured on other seeds. */
export const PRIOR_SEEDS: readonly number[] = [101, 102, 103];

/** Rarer values are left to the floors: they would make the table long and change little. */
const LISTED_MIN = 3;

const bump = (counts: Record<string, number>, text: string) => {
  const hash = shortHash(text);
  counts[hash] = (counts[hash] ?? 0) + 1;
};

const frequent = (counts: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(counts)
      .filter(([, count]) => count >= LISTED_MIN)
      .sort(),
  );

/** Counts hardware classes, screens and versions of a drawn population: the table that the product ships. */
export function learnPrior(seeds: readonly number[], devicesPerSeed: number, say: (text: string) => void) {
  const hardware: Record<string, number> = {};
  const screens: Record<string, number> = {};
  const systems: Record<
    string,
    { devices: number; screens: Record<string, number>; versions: Record<string, number> }
  > = {};
  const generator = new FingerprintGenerator();
  for (const seed of seeds) {
    const random = seededRandom(seed);
    say(`seed ${seed}`);
    for (let index = 0; index < devicesPerSeed; index += 1) {
      const machine = drawMachine(generator, random);
      const visit = firstVisitOf(machine, random.below(1000));
      const traits = observeTraits(visit, { identity: identify(visit), profile: "none", network: "" });
      const system = (systems[traits.system] ??= { devices: 0, screens: {}, versions: {} });
      system.devices += 1;
      bump(hardware, hardwareText(traits));
      bump(screens, `${hardwareText(traits)}|${traits.screen}`);
      bump(system.screens, traits.screen);
      bump(system.versions, traits.systemVersion);
    }
  }
  return {
    seeds,
    devices: seeds.length * devicesPerSeed,
    hardware: frequent(hardware),
    screens: frequent(screens),
    systems: Object.fromEntries(
      Object.entries(systems).map(([name, { devices, ...counts }]) => [
        name,
        {
          devices,
          screens: frequent(counts.screens),
          versions: frequent(counts.versions),
        },
      ]),
    ),
  };
}
