import { pageClaim } from "../claims";
import { FEATURE_SOURCE, foreignFeatures } from "../feature-versions";
import type { Rule } from "../rule";
import { groupValue } from "../visit";

/** A single one may be an experimental feature that somebody enabled. */
const LIMITS = { leastInterfaces: 2 };

const PHONE = /\bMobile\b/;

/** A phone with interfaces that Chromium has on computers only, as if a computer emulated it. */
export const systemDesktopInterfaces: Rule = {
  id: "system.desktop-interfaces",
  reason: "OS_ENVIRONMENT_MISMATCH",
  source: FEATURE_SOURCE,
  harmlessCauses: ["Device emulation in developer tools", "Experimental features that were switched on"],
  limits: LIMITS,
  check(visit, _identity, _profile, limits) {
    const { leastInterfaces } = { ...LIMITS, ...limits };
    const page = pageClaim(visit);
    const major = page?.parsed.chromiumMajorVersion;
    const isPhone = page?.parsed.operatingSystem === "android" && PHONE.test(page.userAgent);
    if (page === undefined || major === undefined || !isPhone) return undefined;
    const bits = groupValue(visit.signals, "features") ?? "";
    const interfaces = foreignFeatures(bits, "blink", `${major}`, "onDesktopsOnly");
    if (interfaces.length < leastInterfaces) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The browser claims to run on a phone but has interfaces that it has on computers only.",
      compared: [
        { label: page.label, value: page.userAgent, isOdd: true },
        { label: "Interfaces that this browser has on computers only", value: interfaces.join(", "), isOdd: false },
      ],
    };
  },
};
