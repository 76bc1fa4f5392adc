import { FEATURES } from "@/lib/contract/signal-lists";
import { DAY_MS } from "@/lib/platform/calendar";

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

/** Beyond any minor number: those of user agents have at most six digits. */
const MINORS = 1_000_000;

/** Major and minor of a release as one number, which is greater for a later release. */
function numberOf(version: string): number {
  const [major = 0, minor = 0] = version.split(".", 2).map(Number);
  return major * MINORS + minor;
}

/** A feature and its position among the digits of a visit. */
type Placed = { feature: Feature; index: number };
/** `since` is the release that introduced the feature. */
export type Dated = Placed & { since: string; sinceNumber: number };

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
    return since === undefined ? [] : [{ feature, index, since, sinceNumber: numberOf(since) }];
  });

type Kind = "nowhere" | "onDesktopsOnly";

const foreignFor = (engine: Engine, kind: Kind): readonly Placed[] =>
  FEATURES.flatMap((feature, index) =>
    PLACES[feature]?.[kind]?.split(" ").includes(engine) === true ? [{ feature, index }] : [],
  );

const byEngine = <T>(of: (engine: Engine) => T): Record<Engine, T> => ({
  blink: of("blink"),
  gecko: of("gecko"),
  webkit: of("webkit"),
});

const FIRST = byEngine((engine) => datedFor(engine, "first"));
const ALWAYS = byEngine((engine) => datedFor(engine, "always"));
const FOREIGN: Record<Kind, Record<Engine, readonly Placed[]>> = {
  nowhere: byEngine((engine) => foreignFor(engine, "nowhere")),
  onDesktopsOnly: byEngine((engine) => foreignFor(engine, "onDesktopsOnly")),
};
const RELEASES = byEngine((engine): readonly number[] => data.releases[engine].latest.split(" ").map(numberOf));

/** Number of releases of `engine` after `from`, up to and including `to`. */
export function releasesBetween(engine: Engine, from: string, to: string): number {
  const [after, last] = [numberOf(from), numberOf(to)];
  return RELEASES[engine].filter((release) => release > after && release <= last).length;
}

/** Language features that `version` must have but this browser lacks. */
export function missingFeatures(bits: string, engine: Engine, version: string): readonly Dated[] {
  const claimed = numberOf(version);
  return ALWAYS[engine].filter(
    ({ index, sinceNumber }) => index < bits.length && bits[index] !== "1" && claimed > sinceNumber,
  );
}

/** The features that a browser of `version` has, one digit each. */
export function featureBits(engine: Engine, version: string, isPhone: boolean): string {
  const claimed = numberOf(version);
  const without = isPhone ? FOREIGN.onDesktopsOnly[engine].map(({ feature }) => feature) : [];
  const present = FIRST[engine].filter(
    ({ feature, sinceNumber }) => sinceNumber <= claimed && !without.includes(feature),
  );
  const features = new Set(present.map(({ feature }) => feature));
  return FEATURES.map((feature) => (features.has(feature) ? "1" : "0")).join("");
}

/** Features that this browser has although they were introduced after `version`. */
export function earlyFeatures(bits: string, engine: Engine, version: string): readonly Dated[] {
  const claimed = numberOf(version);
  return FIRST[engine].filter(({ index, sinceNumber }) => bits[index] === "1" && sinceNumber > claimed);
}

/**
 * Features that this browser has although its engine does not have them, or not on phones. Empty for releases newer
 * than the data, which may have introduced them.
 */
export function foreignFeatures(bits: string, engine: Engine, version: string, kind: Kind): readonly Feature[] {
  const newest = RELEASES[engine].at(-1);
  if (newest === undefined || numberOf(version) > newest) return [];
  return FOREIGN[kind][engine].flatMap(({ feature, index }) => (bits[index] === "1" ? [feature] : []));
}

export const isInimitable = ({ feature }: Dated): boolean => INIMITABLE.includes(feature);

/**
 * The object that a feature belongs to. Polyfills replace whole objects, such as all members of `Promise`, so several
 * members count as one.
 */
export const objectOf = ({ feature }: Dated): string => feature.split(".")[0] ?? feature;

/** Allowance for channels ahead of those in the data, and for changes of the release calendar. */
const AHEAD_MAJORS = 2;

/** Newest major release that can exist at `now`: listed or announced in the data, or released since. */
export function newestMajor(engine: Engine, now: Date): number {
  const newest = RELEASES[engine].at(-1);
  const listed = newest === undefined ? Number.POSITIVE_INFINITY : Math.floor(newest / MINORS);
  const days = Math.max(0, now.getTime() - Date.parse(data.date)) / DAY_MS;
  return listed + Math.ceil(days / data.releases[engine].fewestDaysBetweenMajors) + AHEAD_MAJORS;
}
