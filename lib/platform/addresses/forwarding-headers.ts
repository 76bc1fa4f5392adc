import type { IncomingHttpHeaders } from "node:http";

/** Headers in which proxies and platforms forward the client's address. */
const ADDRESS_HEADERS = [
  "forwarded",
  "x-forwarded-for",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-original-forwarded-for",
  "cf-connecting-ip",
  "cf-connecting-ipv6",
  "true-client-ip",
  "fastly-client-ip",
  "fly-client-ip",
];
/** Headers in which proxies forward the requested address. */
const ORIGIN_HEADERS = ["x-forwarded-proto", "x-forwarded-host", "x-forwarded-port"];
/** Headers that this service sets for itself while it handles a request. */
const INTERNAL_PREFIX = "x-imprint-";

const FORWARDING_HEADERS = [...ADDRESS_HEADERS, ...ORIGIN_HEADERS];
const FROM_TRUSTED = new Set(ADDRESS_HEADERS);
const FROM_OTHERS = new Set(FORWARDING_HEADERS);

export const hasForwardingHeader = (headers: IncomingHttpHeaders): boolean =>
  FORWARDING_HEADERS.some((name) => headers[name] !== undefined);

/**
 * A copy of the headers for handlers, without client addresses and internal headers from outside; scheme, host and port
 * only from a trusted peer.
 */
export function stripForwardingHeaders(
  headers: IncomingHttpHeaders,
  { peerTrusted }: { peerTrusted: boolean },
): IncomingHttpHeaders {
  const stripped = peerTrusted ? FROM_TRUSTED : FROM_OTHERS;
  const kept: IncomingHttpHeaders = {};
  for (const name in headers) {
    if (!stripped.has(name) && !name.startsWith(INTERNAL_PREFIX)) kept[name] = headers[name];
  }
  return kept;
}
