import { contradictingClaims } from "../claims";
import type { Rule } from "../rule";

/** Page, worker, frame or request header name different browsers in one visit. */
export const identityRealms: Rule = {
  id: "identity.realms",
  reason: "BROWSER_IDENTITY_MISMATCH",
  source: "HTML standard, NavigatorID: every realm and the User-Agent header share one value",
  harmlessCauses: ["An extension that changes the user agent", "An app that shows the page in its own web view"],
  explainedBy: ["tor", "gecko-rfp"],
  check(visit) {
    const compared = contradictingClaims(
      visit,
      (page, other) => page.engine !== other.engine || page.family !== other.family,
    );
    return {
      status: "DECEPTIVE",
      explanation: "The visit names different browsers to the page, to its other scripts or to the server.",
      compared,
    };
  },
};
