import type { Rule } from "../rule";

/** Every browser has a `navigator` object. A submission without it was not made by a released component. */
export const navigatorMissing: Rule = {
  id: "incomplete.navigator-missing",
  reason: "SIGNAL_DATA_INCOMPLETE",
  source: "HTML standard, the Navigator object",
  harmlessCauses: ["A page or extension that breaks the navigator object"],
  check({ signals }) {
    const state = signals.navigator?.state ?? "not sent";
    if (state === "ok") return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The submission lacks the browser's description of itself, which most checks are based on.",
      compared: [{ label: "Navigator group", value: state, isOdd: true }],
    };
  },
};
