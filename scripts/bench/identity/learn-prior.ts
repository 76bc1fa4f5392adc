import { FingerprintGenerator } from "fingerprint-generator";

import { hardwareText, shortHash } from "@/lib/visits/devices/domain/traits";
import { observeTraits } from "@/lib/visits/devices/observe-traits";
import { identify } from "@/lib/visits/risk";
import { drawMachine } from "./draw-device";
import { seededRandom } from "../../common/random";
import { firstVisitOf } from "./signals-of";
import { WORLDS } from "./worlds";

/** Seeds for learning; the product is measured on others. */
export const PRIOR_SEEDS: readonly number[] = [101, 102, 103];

/** Rarer values are covered by the floors: listing them would make the table long and change little. */
const LISTED_MIN = 3;

/** Counts the models of a generated population, to produce the table that the product ships. */
export function learnPrior(seeds: readonly number[], devicesPerSeed: number, say: (text: string) => void) {
  const hardware: Record<string, number> = {};
  const generator = new FingerprintGenerator();
  for (const seed of seeds) {
    const random = seededRandom(seed);
    say(`seed ${seed}`);
    for (let index = 0; index < devicesPerSeed; index += 1) {
      const visit = firstVisitOf(drawMachine(generator, random, WORLDS.site), random.below(1000));
      const traits = observeTraits(visit, { identity: identify(visit), profile: "none" });
      const hash = shortHash(hardwareText(traits));
      hardware[hash] = (hardware[hash] ?? 0) + 1;
    }
  }
  const listed = Object.entries(hardware).filter(([, count]) => count >= LISTED_MIN);
  return { seeds, devices: seeds.length * devicesPerSeed, hardware: Object.fromEntries(listed.sort()) };
}
