import type { Compared } from "./rule";
import { parseUserAgent, type ParsedUserAgent } from "./user-agent";
import { groupValue, type Visit } from "./visit";

/** One place in which a visit gives its user agent. */
export type Claim = { label: string; userAgent: string; parsed: ParsedUserAgent };

const claim = (label: string, userAgent: string | undefined): Claim[] =>
  userAgent === undefined || userAgent === "" ? [] : [{ label, userAgent, parsed: parseUserAgent(userAgent) }];

/** The user agent of the page, on which the names in a Report rest. */
export const pageClaim = ({ signals }: Visit): Claim | undefined =>
  claim("User agent, page", groupValue(signals, "navigator")?.userAgent)[0];

/**
 * The other places: worker, frame and request header. A header that names no engine was put there by something on the
 * way, such as a content network that fetches under its own name, and says nothing about the browser.
 */
const otherClaims = ({ signals, request }: Visit): Claim[] => [
  ...claim("User agent, worker", groupValue(signals, "worker")?.userAgent),
  ...claim("User agent, frame", groupValue(signals, "iframe")?.userAgent),
  ...claim("User-Agent header", request.userAgent).filter(({ parsed }) => parsed.engine !== "unknown"),
];

/** The page's user agent and those that contradict it; undefined when none does. */
export function contradictingClaims(
  visit: Visit,
  isContradiction: (page: ParsedUserAgent, other: ParsedUserAgent) => boolean,
): Compared[] | undefined {
  const page = pageClaim(visit);
  if (!page) return undefined;
  const unexpected = otherClaims(visit).filter(({ parsed }) => isContradiction(page.parsed, parsed));
  if (unexpected.length === 0) return undefined;
  return [
    { label: page.label, value: page.userAgent, isOdd: false },
    ...unexpected.map(({ label, userAgent }) => ({ label, value: userAgent, isOdd: true })),
  ];
}
