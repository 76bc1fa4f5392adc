import type { Counts, Population } from "./population";
import type { DeviceProfile } from "./profile";
import type { Tallies } from "./strata";
import { hardwareText, shortHash } from "./traits";

/** Rarer values are not informative and would bloat the row. */
const LISTED_MIN = 3;

function count(profiles: readonly DeviceProfile[], textOf: (profile: DeviceProfile) => string): Counts {
  const values = new Map<string, number>();
  for (const profile of profiles) {
    const hash = shortHash(textOf(profile));
    values.set(hash, (values.get(hash) ?? 0) + 1);
  }
  return {
    total: profiles.length,
    values: Object.fromEntries([...values].filter(([, counted]) => counted >= LISTED_MIN)),
  };
}

/**
 * Builds a workspace's population from its number of devices, a sample of their profiles and the tallies of its links.
 */
export const countPopulation = (devices: number, sample: readonly DeviceProfile[], tallies: Tallies): Population => ({
  devices,
  models: count(sample, ({ latest }) => hardwareText(latest)),
  tallies,
});
