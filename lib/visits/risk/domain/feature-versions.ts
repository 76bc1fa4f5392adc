import { FEATURES } from "@/lib/contract/signal-lists";

import data from "./feature-releases.json";
import type { EngineFamily } from "./families";

type Feature = (typeof FEATURES)[number];
export type Engine = Exclude<EngineFamily, "unknown">;

/** Package and release that the dates come from. */
export const FEATURE_SOURCE = data.source;

/**
 * Interfaces that no polyfill provides and that few people enable before their release. Language features and objects
 * that polyfills provide do not prove that a browser is new, as a script can add them to an old one.
 */
const INIMITABLE: readonly Feature[] = [
  "Atomics.pause",
  "WebAssembly.promising",
  "documentPictureInPicture",
  "CSSStartingStyleRule",
  "ViewTransition",
  "EditContext",
  "PressureObserver",
  "CloseWatcher",
  "Highlight",
];

/** Major and minor of a release. */
type Numbers = readonly [number, number];

function numbersOf(version: string): Numbers {
  const [major = 0, minor = 0] = version.split(".", 2).map(Number);
  return [major, minor];
}

const isLater = ([major, minor]: Numbers, [otherMajor, otherMinor]: Numbers): boolean =>
  major > otherMajor || (major === otherMajor && minor > otherMinor);

/** `index` is the feature's position among the digits of a visit; `since` is the release that introduced it. */
export type Dated = { feature: Feature; index: number; since: string; sinceNumbers: Numbers };

type Place = {
  first: Partial<Record<Engine, string>>;
  always: Partial<Record<Engine, string>>;
  /** Engines without it, and engines that have it on desktops only; separated by spaces. */
  nowhere?: string;
  onDesktopsOnly?: string;
};
type Places = Partial<Record<Feature, Place>>;
const PLACES: Places = data.features;

const datedFor = (engine: Engine, kind: "first" | "always"): readonly Dated[] =>
  FEATURES.flatMap((feature, index) => {
    const since = PLACES[feature]?.[kind][engine];
    return since === undefined ? [] : [{ feature, index, since, sinceNumbers: numbersOf(since) }];
  });

const byEngine = (kind: "first" | "always"): Record<Engine, readonly Dated[]> => ({
  blink: datedFor("blink", kind),
  gecko: datedFor("gecko", kind),
  webkit: datedFor("webkit", kind),
});

const FIRST = byEngine("first");
const ALWAYS = byEngine("always");

const releasesOf = (versions: string): readonly Numbers[] => versions.split(" ").map(numbersOf);

const RELEASES: Record<Engine, readonly Numbers[]> = {
  blink: releasesOf(data.releases.blink.latest),
  gecko: releasesOf(data.releases.gecko.latest),
  webkit: releasesOf(data.releases.webkit.latest),
};

/** Number of releases of `engine` after `from`, up to and including `to`. */
export function releasesBetween(engine: Engine, from: string, to: string): number {
  const [after, last] = [numbersOf(from), numbersOf(to)];
  return RELEASES[engine].filter((release) => isLater(release, after) && !isLater(release, last)).length;
}

/** Language features that `version` must have but this browser lacks. */
export function missingFeatures(bits: string, engine: Engine, version: string): readonly Dated[] {
  const claimed = numbersOf(version);
  return ALWAYS[engine].filter(
    ({ index, sinceNumbers }) => index < bits.length && bits[index] !== "1" && isLater(claimed, sinceNumbers),
  );
}

/** Features that this browser has although they were introduced after `version`. */
export function earlyFeatures(bits: string, engine: Engine, version: string): readonly Dated[] {
  const claimed = numbersOf(version);
  return FIRST[engine].filter(({ index, sinceNumbers }) => bits[index] === "1" && isLater(sinceNumbers, claimed));
}

type Kind = "nowhere" | "onDesktopsOnly";

/**
 * Features that this browser has although its engine does not have them, or not on phones. Empty for releases newer
 * than the data, which may have introduced them.
 */
export function foreignFeatures(bits: string, engine: Engine, version: string, kind: Kind): readonly Feature[] {
  const newest = RELEASES[engine].at(-1);
  if (newest === undefined || isLater(numbersOf(version), newest)) return [];
  return FEATURES.filter(
    (feature, index) => bits[index] === "1" && PLACES[feature]?.[kind]?.split(" ").includes(engine) === true,
  );
}

export const isInimitable = ({ feature }: Dated): boolean => INIMITABLE.includes(feature);

/**
 * The object that a feature belongs to. Polyfills replace whole objects, such as all members of `Promise`, so several
 * members count as one.
 */
export const objectOf = ({ feature }: Dated): string => feature.split(".")[0] ?? feature;

const DAY_MS = 24 * 60 * 60_000;
/** Allowance for channels ahead of those in the data, and for changes of the release calendar. */
const AHEAD_MAJORS = 2;

/** Newest major release that can exist at `now`: listed or announced in the data, or released since. */
export function newestMajor(engine: Engine, now: Date): number {
  const listed = RELEASES[engine].at(-1)?.[0] ?? Number.POSITIVE_INFINITY;
  const days = Math.max(0, now.getTime() - Date.parse(data.date)) / DAY_MS;
  return listed + Math.ceil(days / data.releases[engine].fewestDaysBetweenMajors) + AHEAD_MAJORS;
}
