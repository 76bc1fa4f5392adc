import type { SignalName } from "@/lib/contract/signal-lists";

import type { Rule } from "../rule";

/** Groups that the component has always sent and that no browser can keep back: they are read without waiting. */
const CORE: readonly SignalName[] = ["page", "engine"];

/** A submission that only repeats the browser's name was not made by the component. */
export const coreMissing: Rule = {
  id: "incomplete.core-missing",
  reason: "SIGNAL_DATA_INCOMPLETE",
  source: "Signal groups of the browser component",
  harmlessCauses: ["A page or extension that breaks basic objects of the browser"],
  check({ signals }) {
    const missing = CORE.filter((name) => signals[name]?.state !== "ok");
    if (signals.navigator?.state !== "ok" || missing.length < CORE.length) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The submission names a browser but lacks what every browser tells about the page it runs.",
      compared: missing.map((name) => ({
        label: `Group ${name}`,
        value: signals[name]?.state ?? "not sent",
        isOdd: true,
      })),
    };
  },
};
