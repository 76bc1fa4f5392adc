import { identify, privacyProfile, type Visit } from "@/lib/visits/risk";
import { tokenContradiction, type TokenContradiction, hardFactsOf } from "./domain/compatibility";
import { changedHardware, type HardwareFact, hardwareOf, OTHER_MACHINE_MIN } from "./domain/hardware";
import type { DeviceTraits } from "./domain/traits";
import { observeTraits } from "./observe-traits";

type Part = "browser" | "system" | HardwareFact;

/**
 * A property that stays the same for one installation, as two visits reported it. Undefined if it was not reported or
 * is known to be fake.
 */
type MachinePart = { part: Part; before: string | undefined; after: string | undefined; isChanged: boolean };

export type MachineComparison = {
  parts: MachinePart[];
  /** Why one installation cannot have made both visits, by the same check that detects copied tokens. */
  contradiction: TokenContradiction | undefined;
  /** Number of changed hardware parts from which it counts as another machine. */
  otherMachineParts: number;
};

const reported = (value: string | number | undefined): string | undefined =>
  value === undefined || value === "" || value === "unknown" ? undefined : String(value);

const traitsOf = (visit: Visit): DeviceTraits =>
  observeTraits(visit, { identity: identify(visit), profile: privacyProfile(visit) });

const HARDWARE = ["gpu", "cores", "memory", "model", "architecture"] as const satisfies readonly HardwareFact[];

/** Compares the properties that an installation keeps, by the rules that device recognition uses. */
export function compareMachines(before: Visit, after: Visit): MachineComparison {
  const [old, now] = [traitsOf(before), traitsOf(after)];
  const [oldHardware, nowHardware] = [hardwareOf(old), hardwareOf(now)];
  const changed = changedHardware(now, oldHardware);
  const family = (part: "browser" | "system"): MachinePart => {
    const [one, other] = [reported(old[part]), reported(now[part])];
    return { part, before: one, after: other, isChanged: one !== undefined && other !== undefined && one !== other };
  };
  const parts = HARDWARE.map((part) => ({
    part,
    before: reported(oldHardware[part]),
    after: reported(nowHardware[part]),
    isChanged: changed.includes(part),
  }));
  return {
    parts: [family("browser"), family("system"), ...parts],
    contradiction: tokenContradiction(now, { first: hardFactsOf(old), latest: old }),
    otherMachineParts: OTHER_MACHINE_MIN,
  };
}
