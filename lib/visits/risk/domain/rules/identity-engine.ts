import { pageClaim } from "../claims";
import type { EngineFamily } from "../families";
import type { Compared } from "../evidence";
import type { Rule } from "../rule";
import { groupValue } from "../visit";

/** Each engine's error message for reading a property of null. */
const WORDING: readonly [start: string, engine: EngineFamily][] = [
  ["Cannot read propert", "blink"],
  ["null is not an object", "webkit"],
  ["can't access property", "gecko"],
  ["null has no properties", "gecko"],
];

const engineOfWording = (text: string | undefined): EngineFamily =>
  WORDING.find(([start]) => text?.startsWith(start) === true)?.[1] ?? "unknown";

/** The engine that runs the page compared with the engine of the claimed browser. */
export const identityEngine: Rule = {
  id: "identity.engine",
  reason: "BROWSER_IDENTITY_MISMATCH",
  source: "Measured on Chromium 156, Firefox 153, WebKitGTK 2.50 and QtWebEngine 87: texts of built-in code and errors",
  harmlessCauses: ["An extension that changes the user agent", "Device emulation in developer tools"],
  check(visit) {
    const page = pageClaim(visit);
    const engine = groupValue(visit.signals, "engine");
    const claimed = page?.parsed.engine ?? "unknown";
    if (page === undefined || claimed === "unknown") return undefined;
    const observed = [
      { label: "Engine by its built-in code", value: engine?.family ?? "unknown" },
      { label: "Engine by its error texts", value: engineOfWording(engine?.errorText) },
    ].filter(({ value }) => value !== "unknown");
    if (!observed.some(({ value }) => value !== claimed)) return undefined;
    const compared: Compared[] = observed.map((fact) => ({ ...fact, isOdd: fact.value !== claimed }));
    return {
      status: "DECEPTIVE",
      explanation:
        "The browser that ran the page is built on a different engine from the browser that it claims to be.",
      compared: [
        { label: page.label, value: page.userAgent, isOdd: false },
        { label: "Engine of that browser", value: claimed, isOdd: false },
        ...compared,
      ],
    };
  },
};
