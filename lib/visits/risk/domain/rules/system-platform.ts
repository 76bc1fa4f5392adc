import { pageClaim } from "../claims";
import { EMBEDDED_FAMILIES } from "../families";
import { platformFits, USUAL_PLATFORMS } from "../platforms";
import type { Rule } from "../rule";
import type { ParsedUserAgent } from "../user-agent";
import { groupValue } from "../visit";

/** First Chromium version with a frozen platform on Android. Source: chromium.org, User-Agent reduction, phase 5. */
const FROZEN_SINCE_MAJOR = 110;

/**
 * Phones with Intel chips existed, and emulators still do. Their browsers reported the real platform before it was
 * frozen.
 */
const mayBeIntelPhone = ({ operatingSystem, engine, family, chromiumMajorVersion = 0 }: ParsedUserAgent) =>
  operatingSystem === "android" &&
  (engine !== "blink" || EMBEDDED_FAMILIES.includes(family) || chromiumMajorVersion < FROZEN_SINCE_MAJOR);

/** System of the user agent compared with `navigator.platform`, in the page and its other realms. */
export const systemPlatform: Rule = {
  id: "system.platform",
  reason: "OS_ENVIRONMENT_MISMATCH",
  source: "HTML standard, NavigatorID.platform; values as browsers give them for each system",
  harmlessCauses: ["An extension that changes the user agent", "Device emulation in developer tools"],
  check(visit) {
    const page = pageClaim(visit);
    if (page === undefined) return undefined;
    const { operatingSystem } = page.parsed;
    const platforms = [
      { label: "navigator.platform, page", value: groupValue(visit.signals, "navigator")?.platform },
      { label: "navigator.platform, worker", value: groupValue(visit.signals, "worker")?.platform },
      { label: "navigator.platform, frame", value: groupValue(visit.signals, "iframe")?.platform },
    ].flatMap(({ label, value }) =>
      value === undefined ? [] : [{ label, value, isOdd: !platformFits(operatingSystem, value) }],
    );
    const unexpected = platforms.filter(({ isOdd }) => isOdd);
    if (unexpected.length === 0) return undefined;
    const isExcusable =
      mayBeIntelPhone(page.parsed) && unexpected.every(({ value }) => /^Linux (?:x86_64|i\d86)$/.test(value));
    return {
      status: isExcusable ? "SUSPICIOUS" : "DECEPTIVE",
      explanation: "The browser says that it runs on one operating system, and its platform belongs to another.",
      compared: [
        { label: page.label, value: page.userAgent, isOdd: false },
        ...platforms,
        { label: "Expected of that system", value: USUAL_PLATFORMS[operatingSystem], isOdd: false },
      ],
    };
  },
};
