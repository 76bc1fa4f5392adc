import type { Compared } from "./rule";
import { parseUserAgent, type ParsedUserAgent } from "./user-agent";
import { groupValue, type Visit } from "./visit";

/** One place where a visit states its user agent. */
export type Claim = { label: string; userAgent: string; parsed: ParsedUserAgent };

const claim = (label: string, userAgent: string | undefined): Claim[] =>
  userAgent === undefined || userAgent === "" ? [] : [{ label, userAgent, parsed: parseUserAgent(userAgent) }];

/** The page's user agent, from which the names in a Report are taken. */
export const pageClaim = ({ signals }: Visit): Claim | undefined =>
  claim("User agent, page", groupValue(signals, "navigator")?.userAgent)[0];

/**
 * Other claims: worker, frame and request header. A header that names no engine was set by an intermediary, such as a
 * CDN that fetches under its own name, and says nothing about the browser.
 */
const otherClaims = ({ signals, request }: Visit): Claim[] => [
  ...claim("User agent, worker", groupValue(signals, "worker")?.userAgent),
  ...claim("User agent, frame", groupValue(signals, "iframe")?.userAgent),
  ...claim("User-Agent header", request.userAgent).filter(({ parsed }) => parsed.engine !== "unknown"),
];

/** The page's user agent and those that contradict it. Undefined if none does. */
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
