import type { Rule } from "../rule";

/** Every browser has a `navigator` object; a submission without it was not made by the component as published. */
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
      explanation: "The submission lacks the browser's description of itself, on which most checks rest.",
      compared: [{ label: "Navigator group", value: state, isOdd: true }],
    };
  },
};
