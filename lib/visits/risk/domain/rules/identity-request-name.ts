import { pageClaim } from "../claims";
import { programOf } from "../programs";
import { isRewritten } from "../request-shape";
import type { Rule } from "../rule";
import { parseUserAgent } from "../user-agent";

/** A page that names its browser and a request that names none: the two come from one browser, or the request does not. */
export const identityRequestName: Rule = {
  id: "identity.request-name",
  reason: "BROWSER_IDENTITY_MISMATCH",
  source: "RFC 9110, User-Agent; HTML standard, NavigatorID.userAgent is the value of that header",
  harmlessCauses: [
    "A server or proxy of the site that does not pass the browser's User-Agent on",
    "A firewall that removes or replaces it",
  ],
  check(visit) {
    const page = pageClaim(visit);
    const { request } = visit;
    if (page === undefined || page.parsed.engine === "unknown" || isRewritten(request)) return undefined;
    const header = request.userAgent ?? "";
    const isKnownMissing = header === "" && request.headerNames !== undefined;
    const isUnnamed = header !== "" && parseUserAgent(header).engine === "unknown" && programOf(header) === undefined;
    if (!isKnownMissing && !isUnnamed) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: isUnnamed
        ? "The page names a browser, but the request that brought its answers was sent under a name that is no browser's."
        : "The page names a browser, but the request that brought its answers names none, as every browser does.",
      compared: [
        { label: "User-Agent header", value: isUnnamed ? header : "missing", isOdd: true },
        { label: page.label, value: page.userAgent, isOdd: false },
      ],
    };
  },
};
