import { identify } from "./identity";
import { privacyProfile } from "./profile";
import type { Rule } from "./rule";
import type { Visit } from "./visit";

/** Path depth to which reads are recorded: a signal group and its member. */
const DEPTH = 3;

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Wraps an object to record every path that is read from it, such as `signals.navigator.platform`. */
function recording<T extends object>(target: T, path: readonly string[], note: (path: string) => void): T {
  return new Proxy(target, {
    get(object, key, receiver) {
      const value: unknown = Reflect.get(object, key, receiver);
      if (typeof key !== "string") return value;
      // The group's wrapper (`state`, `value`) is not part of the path.
      const below = key === "value" || key === "state" ? path : [...path, key];
      if (below.length > 1) note(below.join("."));
      return isObject(value) && below.length < DEPTH ? recording(value, below, note) : value;
    },
  });
}

/**
 * Records which values of a visit each rule reads, such as `signals.webgl.renderer`, `request.userAgent` or
 * `identity.browser.family`. A rule that returns early reads less.
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
