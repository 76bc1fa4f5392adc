import PRIOR from "./population-prior.json";
import { type DeviceTraits, hardwareText, localeText, shortHash } from "./traits";

/** Counts of one kind of value among devices, by short hash. */
export type Counts = { total: number; values: Readonly<Record<string, number>> };

/** What is known of the devices of one workspace: how many there are, and a sample of their values. */
export type Population = {
  devices: number;
  hardware: Counts;
  locales: Counts;
  /** Per system: `system|value`. */
  screens: Counts;
  fonts: Counts;
};

export const EMPTY_COUNTS: Counts = { total: 0, values: {} };

export const unknownPopulation = (devices: number): Population => ({
  devices,
  hardware: EMPTY_COUNTS,
  locales: EMPTY_COUNTS,
  screens: EMPTY_COUNTS,
  fonts: EMPTY_COUNTS,
});

/**
 * Devices that could have made the visit, were its sender unknown: a workspace meets far more devices than it has met.
 * Source: chosen by simulation (docs/identity.md); the floor keeps a young workspace from trusting its own emptiness.
 */
export const possibleDevices = ({ devices }: Population): number => Math.max(1_000, 30 * devices);

/** Firefox rounds the graphics card to a class and tells no memory, model or architecture; the sample holds few of it. */
const GECKO_SHARE = 0.0005;

/** What an unlisted class is taken to have been seen, in devices of the shipped sample. */
const UNLISTED_HARDWARE = 1;
/** Devices whose screens the whole system answers for, beside those of the class itself. */
const SCREEN_SMOOTHING = 5;
/** No single fact may count for more than one in fifty, one in a hundred for the locale. */
const VALUE_SHARE_MIN = 0.02;
const LOCALE_SHARE_MIN = 0.01;
/** What the product ships no shares of is taken for common until the workspace's own sample settles it. */
const SHARE_ASSUMED = { locale: 0.2, fonts: 0.3 } as const;
const SAMPLE_SMOOTHING = 10;
/** Below this a local count says nothing. */
const LOCAL_COUNT_MIN = 3;

type System = { devices: number; screens: Record<string, number>; versions: Record<string, number> };
type Prior = {
  devices: number;
  hardware: Record<string, number>;
  screens: Record<string, number>;
  systems: Record<string, System>;
};
const prior: Prior = PRIOR;

const countOf = (values: Readonly<Record<string, number>>, key: string): number =>
  Object.hasOwn(values, key) ? (values[key] ?? 0) : 0;

const localShare = ({ total, values }: Counts, text: string): number => {
  const count = countOf(values, shortHash(text));
  return count < LOCAL_COUNT_MIN ? 0 : count / total;
};

/** How frequent a visit's hardware class is: in the shipped sample or in the workspace, whichever is more. */
function hardwareShare(traits: DeviceTraits, population: Population): number {
  const text = hardwareText(traits);
  const shipped = Math.max(countOf(prior.hardware, shortHash(text)), UNLISTED_HARDWARE) / prior.devices;
  return Math.max(shipped, traits.engine === "gecko" ? GECKO_SHARE : 0, localShare(population.hardware, text));
}

const shareInSystem = (
  values: Record<string, number> | undefined,
  devices: number | undefined,
  text: string,
): number =>
  values === undefined || devices === undefined ? 1 : (countOf(values, shortHash(text)) + 1) / (devices + 1);

/** Among devices of the same hardware class; classes with few devices in the sample lean on their system. */
function screenShare(traits: DeviceTraits, population: Population): number {
  if (traits.screen === "") return 1;
  const system = prior.systems[traits.system];
  const inSystem = shareInSystem(system?.screens, system?.devices, traits.screen);
  const hardware = hardwareText(traits);
  const together = countOf(prior.screens, shortHash(`${hardware}|${traits.screen}`));
  const ofClass = countOf(prior.hardware, shortHash(hardware));
  const inClass = (together + SCREEN_SMOOTHING * inSystem) / (ofClass + SCREEN_SMOOTHING);
  const local = localShare(population.screens, `${traits.system}|${traits.screen}`);
  return Math.max(VALUE_SHARE_MIN, inClass, local);
}

/** Of values that depend on the site's countries, or on lists of our own: the workspace's devices tell their shares. */
function sampledShare({ total, values }: Counts, text: string, assumed: number): number {
  return (countOf(values, shortHash(text)) + SAMPLE_SMOOTHING * assumed) / (total + SAMPLE_SMOOTHING);
}

function fontsShare({ system, fonts }: DeviceTraits, population: Population): number {
  if (fonts === "") return 1;
  return Math.max(VALUE_SHARE_MIN, sampledShare(population.fonts, `${system}|${fonts}`, SHARE_ASSUMED.fonts));
}

function systemVersionShare(traits: DeviceTraits): number {
  if (traits.systemVersion === "") return 1;
  const system = prior.systems[traits.system];
  return Math.max(VALUE_SHARE_MIN, shareInSystem(system?.versions, system?.devices, traits.systemVersion));
}

const localeShare = (traits: DeviceTraits, { locales }: Population): number =>
  Math.max(LOCALE_SHARE_MIN, sampledShare(locales, localeText(traits), SHARE_ASSUMED.locale));

/** How frequent each value of a visit is: the same for every candidate. */
export type Shares = Record<"hardware" | "locale" | "screen" | "fonts" | "systemVersion", number>;

export const sharesOf = (traits: DeviceTraits, population: Population): Shares => ({
  hardware: hardwareShare(traits, population),
  locale: localeShare(traits, population),
  screen: screenShare(traits, population),
  fonts: fontsShare(traits, population),
  systemVersion: systemVersionShare(traits),
});
