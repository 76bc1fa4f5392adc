import { FEATURES } from "@/lib/contract/signal-lists";

import type { EngineFamily } from "./families";

type Feature = (typeof FEATURES)[number];
type Engine = Exclude<EngineFamily, "unknown">;

/**
 * The first release of Chrome, Firefox and Safari that has each part of the language. No setting takes them away;
 * libraries add them to older browsers. Source: MDN browser-compat-data 8.1.9.
 */
const LANGUAGE: Partial<Record<Feature, Partial<Record<Engine, number>>>> = {
  "Array.prototype.toSorted": { blink: 110, gecko: 115, webkit: 16 },
  "Array.fromAsync": { blink: 121, gecko: 115, webkit: 17 },
  "Promise.withResolvers": { blink: 119, gecko: 121, webkit: 18 },
  "Promise.try": { blink: 128, gecko: 134, webkit: 19 },
  "Set.prototype.union": { blink: 122, gecko: 127, webkit: 17 },
  "Iterator.prototype.map": { blink: 122, gecko: 131, webkit: 19 },
  "RegExp.escape": { blink: 136, gecko: 134, webkit: 19 },
  "Math.f16round": { blink: 135, gecko: 129, webkit: 19 },
  "Uint8Array.fromBase64": { blink: 140, gecko: 133, webkit: 19 },
  "Error.isError": { blink: 134, gecko: 138 },
  "Intl.DurationFormat": { blink: 129, gecko: 136, webkit: 17 },
  "Temporal.Now": { blink: 144, gecko: 139 },
  "Map.prototype.getOrInsert": { blink: 145, gecko: 144, webkit: 27 },
};

/** The first Chrome with each interface that no library imitates. Source: MDN browser-compat-data 8.1.9. */
const INTERFACES: Partial<Record<Feature, Partial<Record<Engine, number>>>> = {
  Highlight: { blink: 105 },
  ViewTransition: { blink: 111 },
  documentPictureInPicture: { blink: 116 },
  CSSStartingStyleRule: { blink: 117 },
  EditContext: { blink: 121 },
  PressureObserver: { blink: 125 },
  CloseWatcher: { blink: 126 },
  "Atomics.pause": { blink: 133 },
  "WebAssembly.promising": { blink: 137 },
};

/** `index` is the feature's place among the digits of a visit. */
type Dated = { feature: Feature; index: number; sinceMajor: number };

const datedFor = (table: typeof LANGUAGE, engine: Engine): Dated[] =>
  FEATURES.flatMap((feature, index) => {
    const sinceMajor = table[feature]?.[engine];
    return sinceMajor === undefined ? [] : [{ feature, index, sinceMajor }];
  });

const datedByEngine = (table: typeof LANGUAGE): Record<Engine, readonly Dated[]> => ({
  blink: datedFor(table, "blink"),
  gecko: datedFor(table, "gecko"),
  webkit: datedFor(table, "webkit"),
});

const LANGUAGE_BY_ENGINE = datedByEngine(LANGUAGE);
const INTERFACES_BY_ENGINE = datedByEngine(INTERFACES);

/** Parts of the language that a release must have and this browser lacks. */
export const missingFeatures = (bits: string, engine: Engine, major: number): Dated[] =>
  LANGUAGE_BY_ENGINE[engine].filter(
    ({ index, sinceMajor }) => sinceMajor < major && index < bits.length && bits[index] !== "1",
  );

/** Trials and flags bring an interface to testers a few releases early. */
const TRIAL_RELEASES = 2;

/** Interfaces that this browser has although its release came before them. */
export const earlyFeatures = (bits: string, engine: Engine, major: number): Dated[] =>
  INTERFACES_BY_ENGINE[engine].filter(
    ({ index, sinceMajor }) => sinceMajor > major + TRIAL_RELEASES && bits[index] === "1",
  );
