import { realmDifferences } from "../realms";
import type { Rule } from "../rule";

/** Page, worker and frame run on one machine, so they must agree about its hardware, languages and clock. */
export const environmentRealms: Rule = {
  id: "environment.realms",
  reason: "ENVIRONMENT_INCONSISTENT",
  source: "HTML standard, NavigatorConcurrentHardware and NavigatorLanguage; measured on stealth plug-ins",
  harmlessCauses: ["An extension against fingerprinting", "Settings that changed while the page was open"],
  explainedBy: ["tor", "gecko-rfp"],
  check(visit, _identity, profile) {
    const compared = realmDifferences(visit, profile);
    return {
      status: "SUSPICIOUS",
      explanation:
        "The page and its background script or frame do not agree about the device, its languages or its clock.",
      compared,
    };
  },
};
