import { type DeviceTraits, localeText } from "./traits";

const SCREENS_MAX = 4;
const LOCALES_MAX = 3;
const NETWORKS_MAX = 8;

/** What is kept of a device to recognise it by: its latest traits and the values that it comes back to. */
export type DeviceProfile = {
  latest: DeviceTraits;
  /** Newest first, as the two lists below. */
  screens: string[];
  locales: string[];
  networks: { network: string; day: number }[];
  /** Days since 1970, UTC. */
  day: number;
};

export const DAY_MS = 86_400_000;
export const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

const toFront = (value: string, known: readonly string[], max: number): string[] =>
  value === "" ? [...known] : [value, ...known.filter((other) => other !== value)].slice(0, max);

/** The profile after a visit; without `known`, that of a new device. */
export function profileAfter(known: DeviceProfile | undefined, traits: DeviceTraits, now: Date): DeviceProfile {
  const day = dayOf(now);
  const networks = (known?.networks ?? []).filter(({ network }) => network !== traits.network);
  return {
    latest: traits,
    screens: toFront(traits.screen, known?.screens ?? [], SCREENS_MAX),
    locales: toFront(localeText(traits), known?.locales ?? [], LOCALES_MAX),
    networks: (traits.network === "" ? networks : [{ network: traits.network, day }, ...networks]).slice(
      0,
      NETWORKS_MAX,
    ),
    day,
  };
}

/** Whether `profile` says what is stored already. Profiles are stored as they are written: equal ones are equal texts. */
export const isStoredProfile = (profile: DeviceProfile, stored: DeviceProfile | undefined): boolean =>
  stored !== undefined && JSON.stringify(profile) === JSON.stringify(stored);
