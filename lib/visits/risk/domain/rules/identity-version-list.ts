import { EMBEDDED_FAMILIES } from "../families";
import { engineOf } from "../profile";
import type { Rule } from "../rule";
import { groupValue } from "../visit";

/**
 * A Chromium that names its brands but returns an empty list of full versions, which means that its user agent was
 * replaced.
 */
export const identityVersionList: Rule = {
  id: "identity.version-list",
  reason: "BROWSER_IDENTITY_MISMATCH",
  source:
    "WICG User-Agent Client Hints, fullVersionList; measured on Chromium 156 with --user-agent and on its drivers",
  harmlessCauses: ["A user agent that was set by a start option of the browser", "Device emulation in developer tools"],
  explainedBy: ["brave", "tor", "gecko-rfp", "gecko-fpp", "webkit"],
  check(visit, identity) {
    const { brands = [], fullVersionList } = groupValue(visit.signals, "uaData") ?? {};
    const isExpected = engineOf(visit) === "blink" && !EMBEDDED_FAMILIES.includes(identity.browser.family);
    if (!isExpected || brands.length === 0 || fullVersionList?.length !== 0) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation:
        "The browser names itself but not its full version, as happens if its name was replaced when it was started.",
      compared: [
        { label: "Full versions in client hints", value: "empty", isOdd: true },
        { label: "Brands in client hints", value: brands.map(({ brand = "" }) => brand).join(", "), isOdd: false },
      ],
    };
  },
};
