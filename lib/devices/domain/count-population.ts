import type { Counts, Population } from "./population";
import type { DeviceProfile } from "./profile";
import { hardwareText, localeText, shortHash } from "./traits";

/** Rarer values say nothing and would fill the row. */
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

/** What a match asks of a workspace, from the number of its devices and the profiles of some of them. */
export const countPopulation = (devices: number, sample: readonly DeviceProfile[]): Population => ({
  devices,
  hardware: count(sample, ({ latest }) => hardwareText(latest)),
  locales: count(sample, ({ latest }) => localeText(latest)),
  screens: count(sample, ({ latest }) => `${latest.system}|${latest.screen}`),
  fonts: count(sample, ({ latest }) => `${latest.system}|${latest.fonts}`),
});
