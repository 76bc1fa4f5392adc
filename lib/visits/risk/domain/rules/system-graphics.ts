import { pageClaim } from "../claims";
import { OPERATING_SYSTEM_NAMES, type OperatingSystemFamily } from "../families";
import { engineOf } from "../profile";
import type { Rule } from "../rule";
import { groupValue } from "../visit";

/**
 * Parts of renderer names that only some systems have. Does not match Mesa's Direct3D 12 (Linux inside Windows), which
 * is named differently.
 */
const GRAPHICS: readonly { name: RegExp; systems: readonly OperatingSystemFamily[] }[] = [
  { name: /\bDirect3D\d/, systems: ["windows"] },
  { name: /\bMetal\b|\bApple M\d|\bApple GPU\b/, systems: ["macos", "ios"] },
  { name: /\bOpenGL Engine\b/, systems: ["macos"] },
  { name: /\b(?:Mesa|llvmpipe)\b/, systems: ["linux", "chromeos", "android"] },
];

/** Mesa has been ported to Windows too. Rare enough to be suspicious, but no proof. */
const isPort = (renderer: string, system: OperatingSystemFamily) =>
  system === "windows" && /\b(?:Mesa|llvmpipe)\b/.test(renderer);

const namesOf = (systems: readonly OperatingSystemFamily[]) =>
  [...new Set(systems)].map((name) => (name === "unknown" ? name : OPERATING_SYSTEM_NAMES[name])).join(", ");

/** Graphics driver of a different system from the user agent's. Only Chromium reports the real driver name. */
export const systemGraphics: Rule = {
  id: "system.graphics",
  reason: "OS_ENVIRONMENT_MISMATCH",
  source: "ANGLE renderer strings of Chromium for each back end",
  harmlessCauses: ["An extension that changes the user agent", "A ported graphics driver"],
  explainedBy: ["brave", "tor", "gecko-rfp", "gecko-fpp", "webkit"],
  check(visit) {
    const page = pageClaim(visit);
    const system = page?.parsed.operatingSystem ?? "unknown";
    if (page === undefined || system === "unknown" || engineOf(visit) !== "blink") return undefined;
    const unexpected = [
      { label: "Graphics, page", value: groupValue(visit.signals, "webgl")?.renderer },
      { label: "Graphics, worker", value: groupValue(visit.signals, "worker")?.renderer },
    ].flatMap(({ label, value }) => {
      if (value === undefined) return [];
      const driver = GRAPHICS.find(({ name, systems }) => !systems.includes(system) && name.test(value));
      return driver ? [{ label, value, isOdd: true, systems: driver.systems }] : [];
    });
    if (unexpected.length === 0) return undefined;
    return {
      status: unexpected.every(({ value }) => isPort(value, system)) ? "SUSPICIOUS" : "DECEPTIVE",
      explanation: "The graphics driver does not exist on the operating system that the browser names.",
      compared: [
        { label: page.label, value: page.userAgent, isOdd: false },
        ...unexpected.map(({ label, value, isOdd }) => ({ label, value, isOdd })),
        {
          label: "Systems with that driver",
          value: namesOf(unexpected.flatMap(({ systems }) => systems)),
          isOdd: false,
        },
      ],
    };
  },
};
