import { identify } from "./identity";
import { privacyProfile } from "./profile";
import type { Rule } from "./rule";
import type { Visit } from "./visit";

/** How many names deep a read is told apart: a group of signals and its member. */
const DEPTH = 3;

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The same object, which notes every path that is read of it: `signals.navigator.platform`. */
function recording<T extends object>(target: T, path: readonly string[], note: (path: string) => void): T {
  return new Proxy(target, {
    get(object, key, receiver) {
      const value: unknown = Reflect.get(object, key, receiver);
      if (typeof key !== "string") return value;
      // The wrapper of a group that was read is no part of its name.
      const below = key === "value" || key === "state" ? path : [...path, key];
      if (below.length > 1) note(below.join("."));
      return isObject(value) && below.length < DEPTH ? recording(value, below, note) : value;
    },
  });
}

/**
 * What each rule reads of a visit, by the name of the value: `signals.webgl.renderer`, `request.userAgent`,
 * `identity.browser.family`. A rule that stops early reads less.
 */
export function readsOfRules(visit: Visit, rules: readonly Rule[]): ReadonlyMap<string, ReadonlySet<string>> {
  const reads = new Map<string, Set<string>>();
  const identity = identify(visit);
  const profile = privacyProfile(visit);
  for (const { id, check } of rules) {
    const note = (path: string) => {
      reads.set(path, (reads.get(path) ?? new Set()).add(id));
    };
    const watched = {
      ...visit,
      signals: recording(visit.signals, ["signals"], note),
      request: recording(visit.request, ["request"], note),
    };
    check(watched, recording(identity, ["identity"], note), profile);
  }
  return reads;
}
