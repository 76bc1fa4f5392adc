import { pageClaim } from "../claims";
import { brandLists } from "../client-hints";
import { EMBEDDED_FAMILIES } from "../families";
import type { Rule } from "../rule";
import { majorOf } from "../user-agent";

/**
 * The Chromium of the user agent against the one of the client hints: the browser writes both from one number.
 * Compared by brand, never by `uaFullVersion`, which some builds fill with something else.
 */
export const versionClientHints: Rule = {
  id: "version.client-hints",
  reason: "BROWSER_VERSION_MISMATCH",
  source: "WICG User-Agent Client Hints, section on brands; the brand Chromium in user agent and hints",
  harmlessCauses: ["An extension that changes the user agent", "Device emulation in developer tools"],
  explainedBy: ["tor", "gecko-rfp", "gecko-fpp", "webkit"],
  check(visit) {
    const page = pageClaim(visit);
    const claimed = page?.parsed.chromiumMajorVersion;
    if (page === undefined || claimed === undefined || EMBEDDED_FAMILIES.includes(page.parsed.family)) return undefined;
    const hinted = brandLists(visit).flatMap(({ label, brands }) => {
      const major = majorOf(brands.find(({ brand }) => brand === "Chromium")?.version);
      return major === undefined ? [] : [{ label, major }];
    });
    if (!hinted.some(({ major }) => major !== claimed)) return undefined;
    return {
      status: "DECEPTIVE",
      explanation: "The browser gives two version numbers of itself that a real one writes from the same number.",
      compared: [
        { label: page.label, value: `Chromium ${claimed}`, isOdd: false },
        ...hinted.map(({ label, major }) => ({ label, value: `Chromium ${major}`, isOdd: major !== claimed })),
      ],
    };
  },
};
