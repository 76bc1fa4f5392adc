import { canBeSameDevice, type HardFacts, hardFactsOf, isNewer } from "./compatibility";
import { type DeviceTraits, localeText } from "./traits";

const MAX_SCREENS = 4;
const MAX_LOCALES = 3;

/**
 * What is kept of a device to recognise it by: its latest traits and the values that it comes back to. Whoever copied a
 * token can visit as its device: nothing that one such visit shows may keep the token's owner out afterwards.
 */
export type DeviceProfile = {
  /** Another machine, and higher versions than these, count once a later day has shown them again. */
  latest: DeviceTraits;
  /** What the device's tokens are held against: never changes. Profiles of 0.1.0 lack it until their next visit. */
  first?: HardFacts;
  /** What awaits a later day that shows it again. */
  held?: { traits: DeviceTraits; day: number };
  /** Newest first, as the list below. */
  screens: string[];
  locales: string[];
  /** Days since 1970, UTC. */
  day: number;
};

export const DAY_MS = 86_400_000;
export const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

const toFront = (value: string, known: readonly string[], max: number): string[] =>
  value === "" ? [...known] : [value, ...known.filter((other) => other !== value)].slice(0, max);

/** What tokens of the device are held against. What an older release did not keep is taken from the latest visit. */
export const firstFacts = ({ first, latest }: DeviceProfile): HardFacts => ({ ...hardFactsOf(latest), ...first });

/** The machines that the device is known to be: what a single day showed counts from the next day on. */
export const knownMachines = (profile: DeviceProfile, today: number): HardFacts[] => {
  const { latest, held } = profile;
  const before = held !== undefined && held.day < today ? [hardFactsOf(held.traits)] : [];
  return [firstFacts(profile), hardFactsOf(latest), ...before];
};

const isShownAgain = ({ held }: DeviceProfile, traits: DeviceTraits): boolean =>
  held !== undefined && canBeSameDevice(traits, held.traits);

/** Whether a visit shows a machine that the device is not known to be, or no longer: it leaves nothing but `held`. */
const isForeign = (known: DeviceProfile, traits: DeviceTraits, now: Date): boolean =>
  !canBeSameDevice(traits, known.latest) &&
  !(isShownAgain(known, traits) && dayOf(now) > (known.held?.day ?? Infinity));

/** What a visit without a token may find the device as: as it was, or as its latest visit was, with newer versions. */
export const shownStates = (profile: DeviceProfile): DeviceProfile[] => {
  const { held, latest } = profile;
  return held !== undefined && canBeSameDevice(held.traits, latest)
    ? [profile, { ...profile, latest: held.traits }]
    : [profile];
};

/** `traits` at the versions of `older`, with the picture that those draw. */
const atVersionsOf = (older: DeviceTraits, traits: DeviceTraits): DeviceTraits =>
  isNewer(traits, older)
    ? {
        ...traits,
        browserMajor: older.browserMajor ?? traits.browserMajor,
        systemVersion: older.systemVersion || traits.systemVersion,
        canvas: older.canvas,
      }
    : traits;

/** `traits` with what is known of the facts that a visit may leave out: whoever tells less proves no other value later. */
const withKnown = (known: DeviceTraits, traits: DeviceTraits): DeviceTraits => ({
  ...traits,
  browserMajor: traits.browserMajor ?? known.browserMajor,
  systemVersion: traits.systemVersion || known.systemVersion,
  cores: traits.cores ?? known.cores,
});

/** Lists and day of the profile after a visit of the device itself. */
const placesAfter = (known: DeviceProfile | undefined, traits: DeviceTraits, day: number) => ({
  screens: toFront(traits.screen, known?.screens ?? [], MAX_SCREENS),
  locales: toFront(localeText(traits), known?.locales ?? [], MAX_LOCALES),
  day,
});

/** The profile after a visit; without `known`, that of a new device. */
export function profileAfter(known: DeviceProfile | undefined, traits: DeviceTraits, now: Date): DeviceProfile {
  const day = dayOf(now);
  if (known === undefined) return { latest: traits, first: hardFactsOf(traits), ...placesAfter(known, traits, day) };
  const { latest: shown, held: heldBefore, screens, locales } = known;
  const kept = { latest: shown, screens, locales, day: known.day };
  const first = firstFacts(known);
  const again = isShownAgain(known, traits) ? heldBefore : undefined;
  if (isForeign(known, traits, now)) return { ...kept, first, held: again ?? { traits, day } };
  const confirmed = again !== undefined && again.day < day ? again : undefined;
  const before = confirmed?.traits ?? known.latest;
  const told = withKnown(before, traits);
  const latest = atVersionsOf(before, told);
  return {
    latest,
    first,
    ...placesAfter(known, traits, day),
    ...(latest === told ? {} : { held: confirmed === undefined && again ? again : { traits: told, day } }),
  };
}

/** Whether `profile` says what is stored already. Profiles are stored as they are written: equal ones are equal texts. */
export const isStoredProfile = (profile: DeviceProfile, stored: DeviceProfile | undefined): boolean =>
  stored !== undefined && JSON.stringify(profile) === JSON.stringify(stored);
