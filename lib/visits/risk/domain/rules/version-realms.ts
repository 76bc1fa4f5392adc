import { contradictingClaims } from "../claims";
import type { Rule } from "../rule";
import { majorOf } from "../user-agent";

/** Page, worker, frame or request header name different versions of one browser. */
export const versionRealms: Rule = {
  id: "version.realms",
  reason: "BROWSER_VERSION_MISMATCH",
  source: "HTML standard, NavigatorID: every realm and the User-Agent header share one value",
  harmlessCauses: ["An extension that changes the user agent", "A gateway that rewrites request headers"],
  // These deliberately name different releases and systems in header and page.
  explainedBy: ["tor", "gecko-rfp"],
  check(visit) {
    const compared = contradictingClaims(
      visit,
      (page, other) =>
        page.engine === other.engine &&
        page.family === other.family &&
        (majorOf(page.version) !== majorOf(other.version) || page.chromiumMajorVersion !== other.chromiumMajorVersion),
    );
    return {
      status: "DECEPTIVE",
      explanation:
        "The browser gives different version numbers of itself to the page, to its other scripts or to the server.",
      compared,
    };
  },
};
