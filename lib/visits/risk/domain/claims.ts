import type { Compared } from "./evidence";
import { parseUserAgent, type ParsedUserAgent } from "./user-agent";
import { groupValue, type Visit } from "./visit";

/** One place where a visit states its user agent. */
export type Claim = { label: string; userAgent: string; parsed: ParsedUserAgent };

const claim = (label: string, userAgent: string | undefined): Claim | undefined =>
  userAgent === undefined || userAgent === "" ? undefined : { label, userAgent, parsed: parseUserAgent(userAgent) };

/** The page's user agent, from which the names in a Report are taken. */
export const pageClaim = ({ signals }: Visit): Claim | undefined =>
  claim("User agent, page", groupValue(signals, "navigator")?.userAgent);

/**
 * Claims of worker, frame and request header that differ from the page's. A header that names no engine was set by an
 * intermediary, such as a CDN that fetches under its own name, and says nothing about the browser.
 */
function otherClaims({ signals, request }: Visit, page: Claim): Claim[] {
  const unlike = (userAgent: string | undefined) => (userAgent === page.userAgent ? undefined : userAgent);
  const header = claim("User-Agent header", unlike(request.userAgent));
  return [
    claim("User agent, worker", unlike(groupValue(signals, "worker")?.userAgent)),
    claim("User agent, frame", unlike(groupValue(signals, "iframe")?.userAgent)),
    header?.parsed.engine === "unknown" ? undefined : header,
  ].filter((other) => other !== undefined);
}

/** The page's user agent and those that contradict it. Empty if none does. */
export function contradictingClaims(
  visit: Visit,
  isContradiction: (page: ParsedUserAgent, other: ParsedUserAgent) => boolean,
): Compared[] {
  const page = pageClaim(visit);
  if (!page) return [];
  const unexpected = otherClaims(visit, page).filter(({ parsed }) => isContradiction(page.parsed, parsed));
  if (unexpected.length === 0) return [];
  return [
    { label: page.label, value: page.userAgent, isOdd: false },
    ...unexpected.map(({ label, userAgent }) => ({ label, value: userAgent, isOdd: true })),
  ];
}
