import { pageClaim } from "../claims";
import { brandLists } from "../client-hints";
import { EMBEDDED_FAMILIES } from "../families";
import type { Rule } from "../rule";

/**
 * Chromium version of the user agent compared with that of the client hints, which the browser generates from one
 * number. Compared by brand rather than by `uaFullVersion`, which some builds set to something else.
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
    const hinted = brandLists(visit).flatMap(({ label, browser }) => {
      const major = browser?.chromiumMajorVersion;
      return major === undefined ? [] : [{ label, major }];
    });
    if (!hinted.some(({ major }) => major !== claimed)) return undefined;
    return {
      status: "DECEPTIVE",
      explanation: "The browser reports two different version numbers where a real one reports the same.",
      compared: [
        { label: page.label, value: `Chromium ${claimed}`, isOdd: false },
        ...hinted.map(({ label, major }) => ({ label, value: `Chromium ${major}`, isOdd: major !== claimed })),
      ],
    };
  },
};
