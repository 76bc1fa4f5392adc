import type { SignalName } from "@/lib/contract/signal-lists";

import type { Rule } from "../rule";

/** Groups that are read synchronously from parts of the browser that neither policies nor content blockers remove. */
const ALWAYS_ANSWERED: readonly SignalName[] = [
  "page",
  "engine",
  "features",
  "screen",
  "timezone",
  "locale",
  "math",
  "storage",
  "automation",
];

/** Groups that every component since 0.1.0 sends, in some state. Groups added later do not belong here. */
const ALWAYS_SENT: readonly SignalName[] = [
  "navigator",
  ...ALWAYS_ANSWERED,
  "worker",
  "uaData",
  "webgl",
  "canvas",
  "iframe",
  "fonts",
];

/** Those of the always-answered groups that catch all errors themselves, so that a single error is suspicious. */
const NEVER_FAIL: readonly SignalName[] = ["features", "screen", "automation"];
const LIMITS = { maxFailed: 1 };

/** Every engine can answer these groups. A submission without them hides something or was written by hand. */
export const groupsMissing: Rule = {
  id: "incomplete.groups-missing",
  reason: "SIGNAL_DATA_INCOMPLETE",
  source: "Signal groups of the browser component, each release of which names them all",
  harmlessCauses: ["A page or extension that breaks basic objects of the browser"],
  limits: LIMITS,
  check({ signals }, _identity, _profile, limits) {
    const { maxFailed } = { ...LIMITS, ...limits };
    if (signals.navigator?.state !== "ok") return undefined; // reported by another rule
    const unsent = ALWAYS_SENT.filter((name) => signals[name] === undefined);
    const failed = ALWAYS_ANSWERED.filter((name) => signals[name] !== undefined && signals[name].state !== "ok");
    const isEnough = failed.length > maxFailed || failed.some((name) => NEVER_FAIL.includes(name));
    if (unsent.length === 0 && !isEnough) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The visit does not answer questions that every browser can answer.",
      compared: [
        ...(unsent.length === 0 ? [] : [{ label: "Left out", value: unsent.join(", "), isOdd: true }]),
        ...(isEnough
          ? [
              {
                label: "Not answered",
                value: failed.map((name) => `${name} (${signals[name]?.state ?? ""})`).join(", "),
                isOdd: true,
              },
            ]
          : []),
        {
          label: "Expected",
          value: "a state for every group, and values for those that no setting removes",
          isOdd: false,
        },
      ],
    };
  },
};
