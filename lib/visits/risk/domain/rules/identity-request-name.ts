import { pageClaim } from "../claims";
import { isRewritten } from "../request-shape";
import type { Rule } from "../rule";
import { parseUserAgent } from "../user-agent";

/** The page names a browser but the request names none, so the request may not come from that browser. */
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
    const named = parseUserAgent(header);
    const isUnnamed = header !== "" && named.engine === "unknown" && named.program === undefined;
    if (!isKnownMissing && !isUnnamed) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: isUnnamed
        ? "The page names a browser, but the request with its answers was sent under a name that no browser uses."
        : "The page names a browser, but the request with its answers names none, although every browser names itself.",
      compared: [
        { label: "User-Agent header", value: isUnnamed ? header : "missing", isOdd: true },
        { label: page.label, value: page.userAgent, isOdd: false },
      ],
    };
  },
};
