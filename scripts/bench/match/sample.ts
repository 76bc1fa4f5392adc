import { FingerprintGenerator } from "fingerprint-generator";

import type { DeviceTraits } from "@/lib/visits/devices/domain/traits";
import { observeTraits } from "@/lib/visits/devices/observe-traits";
import { identify, type Visit } from "@/lib/visits/risk";
import { LOCALES } from "../identity/assumptions";
import { drawMachine, type Machine } from "../identity/draw-device";
import type { Random } from "../../common/random";
import { firstVisitOf } from "../identity/signals-of";
import { WORLDS } from "../identity/worlds";

/** Number of browsers that devices are copied from: frequent ones are frequent here, as in the generator's traffic. */
const MACHINES = 4_000;

export type Sample = { machine: Machine; traits: DeviceTraits }[];

export function drawSample(random: Random, machines: number = MACHINES): Sample {
  const generator = new FingerprintGenerator();
  return Array.from({ length: machines }, () => {
    const machine = drawMachine(generator, random, WORLDS.site);
    const visit = firstVisitOf(machine, random.below(1_000_000));
    return { machine, traits: observeTraits(visit, { identity: identify(visit), profile: "none" }) };
  });
}

/** Pseudorandom number of a single device, so that any device can be regenerated. */
function ownChance(index: number, salt: number): number {
  const mixed = Math.imul(index ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

const DEVICES_PER_NETWORK = 3;

/** Device number `index`: one of the sample's machines, at its own location. */
export function deviceAt(sample: Sample, index: number) {
  const base = sample[Math.floor(ownChance(index, 1) * sample.length)];
  if (base === undefined) throw new Error("the sample is empty");
  let left = ownChance(index, 2);
  const locale = LOCALES.find(([, , share]) => (left -= share) < 0) ?? LOCALES[0];
  const network = Math.floor(index / DEVICES_PER_NETWORK);
  return {
    base,
    language: locale?.[0] ?? "en-US",
    timeZone: locale?.[1] ?? "UTC",
    address: `${16 + (network >>> 16)}.${(network >>> 8) & 255}.${network & 255}.7`,
  };
}

/** A visit of device `index` as its component would send it. */
export function visitAt(sample: Sample, index: number): { visit: Visit; address: string } {
  const { base, language, timeZone, address } = deviceAt(sample, index);
  return { visit: firstVisitOf({ ...base.machine, language, timeZone }, index), address };
}
