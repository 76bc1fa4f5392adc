import { DAY_MS } from "@/lib/platform/calendar";

import { canBeSameDevice, type HardFacts, hardFactsOf, isNewer, type TokenStates } from "./compatibility";
import { type DeviceTraits, languagesOf, localeText } from "./traits";

const MAX_SCREENS = 4;
const MAX_LOCALES = 3;

/**
 * State by which a device is recognised: its latest traits and the values that it returns to. Somebody with a copied
 * token can visit as this device, so nothing that a single such visit shows may lock out the token's owner.
 */
export type DeviceProfile = {
  /** A different machine or higher versions are accepted only after being seen again on a later day. */
  latest: DeviceTraits;
  /**
   * Facts that the device's tokens are checked against. Never changes. Profiles of 0.1.0 lack it until their next
   * visit.
   */
  first?: HardFacts;
  /** Traits waiting to be confirmed by a visit on a later day. */
  held?: { traits: DeviceTraits; day: number };
  /** Newest first, like `locales`. */
  screens: string[];
  locales: string[];
  /** Days since 1970, UTC. */
  day: number;
};

export const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

const toFront = (value: string, known: readonly string[], max: number): string[] =>
  value === "" ? [...known] : [value, ...known.filter((other) => other !== value)].slice(0, max);

/**
 * Facts that the device's tokens are checked against. Facts that an older release did not store come from the latest
 * visit.
 */
const firstFacts = ({ first, latest }: DeviceProfile): HardFacts => ({ ...hardFactsOf(latest), ...first });

/** The states that the device's tokens are checked against. */
export const tokenStates = (profile: DeviceProfile): Required<TokenStates> => ({
  first: firstFacts(profile),
  latest: profile.latest,
  habits: { screens: profile.screens, languages: profile.locales.map(languagesOf) },
});

/** The machines that the device is known to be. A machine seen on one day only is included from the next day on. */
export const knownMachines = (profile: DeviceProfile, today: number): HardFacts[] => {
  const { latest, held } = profile;
  const before = held !== undefined && held.day < today ? [hardFactsOf(held.traits)] : [];
  return [firstFacts(profile), hardFactsOf(latest), ...before];
};

const isShownAgain = ({ held }: DeviceProfile, traits: DeviceTraits): boolean =>
  held !== undefined && canBeSameDevice(traits, held.traits);

/**
 * Whether a visit shows a machine that is not (or no longer) known to be this device. Such a visit only changes `held`.
 */
const isForeign = (known: DeviceProfile, traits: DeviceTraits, now: Date): boolean =>
  !canBeSameDevice(traits, known.latest) &&
  !(isShownAgain(known, traits) && dayOf(now) > (known.held?.day ?? Infinity));

/**
 * The states that a visit without a token is matched against: the latest, and that of an unconfirmed visit with newer
 * versions.
 */
export const shownStates = (profile: DeviceProfile): DeviceProfile[] => {
  const { held, latest } = profile;
  return held !== undefined && canBeSameDevice(held.traits, latest)
    ? [profile, { ...profile, latest: held.traits }]
    : [profile];
};

/** `traits` with the versions of `older` and the canvas that those versions draw. */
const atVersionsOf = (older: DeviceTraits, traits: DeviceTraits): DeviceTraits =>
  isNewer(traits, older)
    ? {
        ...traits,
        browserMajor: older.browserMajor ?? traits.browserMajor,
        systemVersion: older.systemVersion || traits.systemVersion,
        canvas: older.canvas,
      }
    : traits;

/**
 * `traits` completed with known facts that the visit did not report, so that a missing fact cannot confirm a different
 * value later.
 */
const withKnown = (known: DeviceTraits, traits: DeviceTraits): DeviceTraits => ({
  ...traits,
  browserMajor: traits.browserMajor ?? known.browserMajor,
  systemVersion: traits.systemVersion || known.systemVersion,
  cores: traits.cores ?? known.cores,
});

/** Recent screens and locales, and the day, after a visit of the device itself. */
const placesAfter = (known: DeviceProfile | undefined, traits: DeviceTraits, day: number) => ({
  screens: toFront(traits.screen, known?.screens ?? [], MAX_SCREENS),
  locales: toFront(localeText(traits), known?.locales ?? [], MAX_LOCALES),
  day,
});

/** The profile after a visit. Without `known`, the profile of a new device. */
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

/**
 * Whether `profile` equals the stored one. Profiles are stored exactly as serialized, so their JSON text can be
 * compared.
 */
export const isStoredProfile = (profile: DeviceProfile, stored: DeviceProfile | undefined): boolean =>
  stored !== undefined && JSON.stringify(profile) === JSON.stringify(stored);
