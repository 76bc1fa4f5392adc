import { contradictingClaims } from "../claims";
import type { Rule } from "../rule";
import { majorOf } from "../user-agent";

/** One browser, two version numbers: in its page, worker, frame or request header. */
export const versionRealms: Rule = {
  id: "version.realms",
  reason: "BROWSER_VERSION_MISMATCH",
  source: "HTML standard, NavigatorID: every realm and the User-Agent header share one value",
  harmlessCauses: ["An extension that changes the user agent", "A gateway that rewrites request headers"],
  // Its header and its page name different releases and systems on purpose.
  explainedBy: ["tor", "gecko-rfp"],
  check(visit) {
    const compared = contradictingClaims(
      visit,
      (page, other) =>
        page.engine === other.engine &&
        page.family === other.family &&
        (majorOf(page.version) !== majorOf(other.version) || page.chromiumMajorVersion !== other.chromiumMajorVersion),
    );
    if (!compared) return undefined;
    return {
      status: "DECEPTIVE",
      explanation:
        "The browser gives different version numbers of itself to the page, to its other scripts or to the server.",
      compared,
    };
  },
};
