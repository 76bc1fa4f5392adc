import { FEATURES } from "@/lib/contract/signal-lists";

import data from "./feature-releases.json";
import type { EngineFamily } from "./families";

type Feature = (typeof FEATURES)[number];
export type Engine = Exclude<EngineFamily, "unknown">;

/** Where the dates come from: the package and its release. */
export const FEATURE_SOURCE = data.source;

/**
 * Interfaces that no library imitates, and that few people switch on before their release. What a script can add to an
 * old browser proves nothing about its age: the parts of the language, and the objects that sites fill in.
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

/** `index` is the feature's place among the digits of a visit; `since` the release that brought it. */
export type Dated = { feature: Feature; index: number; since: string };

type Places = Partial<
  Record<Feature, { first: Partial<Record<Engine, string>>; always: Partial<Record<Engine, string>> }>
>;
const PLACES: Places = data.features;

const datedFor = (engine: Engine, kind: "first" | "always"): readonly Dated[] =>
  FEATURES.flatMap((feature, index) => {
    const since = PLACES[feature]?.[kind][engine];
    return since === undefined ? [] : [{ feature, index, since }];
  });

const byEngine = (kind: "first" | "always"): Record<Engine, readonly Dated[]> => ({
  blink: datedFor("blink", kind),
  gecko: datedFor("gecko", kind),
  webkit: datedFor("webkit", kind),
});

const FIRST = byEngine("first");
const ALWAYS = byEngine("always");

const RELEASES: Record<Engine, readonly string[]> = {
  blink: data.releases.blink.latest.split(" "),
  gecko: data.releases.gecko.latest.split(" "),
  webkit: data.releases.webkit.latest.split(" "),
};

const numbersOf = (version: string) => version.split(".").map(Number);

function isLater(one: string, other: string): boolean {
  const [major = 0, minor = 0] = numbersOf(one);
  const [otherMajor = 0, otherMinor = 0] = numbersOf(other);
  return major > otherMajor || (major === otherMajor && minor > otherMinor);
}

/** Releases of `engine` after `from`, up to and with `to`. */
export const releasesBetween = (engine: Engine, from: string, to: string): number =>
  RELEASES[engine].filter((version) => isLater(version, from) && !isLater(version, to)).length;

/** Parts of the language that `version` must have and this browser lacks. */
export const missingFeatures = (bits: string, engine: Engine, version: string): readonly Dated[] =>
  ALWAYS[engine].filter(({ index, since }) => isLater(version, since) && index < bits.length && bits[index] !== "1");

/** What this browser has although `version` came before it. */
export const earlyFeatures = (bits: string, engine: Engine, version: string): readonly Dated[] =>
  FIRST[engine].filter(({ index, since }) => isLater(since, version) && bits[index] === "1");

export const isInimitable = ({ feature }: Dated): boolean => INIMITABLE.includes(feature);

/** Libraries replace whole objects, such as every member of `Promise`: several members of one are one fact. */
export const objectOf = ({ feature }: Dated): string => feature.split(".")[0] ?? feature;

const DAY_MS = 24 * 60 * 60_000;
/** Channels ahead of those that the data lists, and a change of the calendar. */
const AHEAD_MAJORS = 2;

/** The newest major release that can exist at `now`: those that the data lists or announces, and those since. */
export function newestMajor(engine: Engine, now: Date): number {
  const listed = numbersOf(RELEASES[engine].at(-1) ?? "")[0] ?? Number.POSITIVE_INFINITY;
  const days = Math.max(0, now.getTime() - Date.parse(data.date)) / DAY_MS;
  return listed + Math.ceil(days / data.releases[engine].fewestDaysBetweenMajors) + AHEAD_MAJORS;
}
