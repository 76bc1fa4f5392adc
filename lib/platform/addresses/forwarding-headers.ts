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
/** Headers in which proxies forward the requested scheme, host and port. */
const ORIGIN_HEADERS = ["x-forwarded-proto", "x-forwarded-host", "x-forwarded-port"];
/** Prefix of headers that this service sets on its own while handling a request. */
const INTERNAL_PREFIX = "x-imprint-";

const FORWARDING_HEADERS = [...ADDRESS_HEADERS, ...ORIGIN_HEADERS];
const FROM_TRUSTED = new Set(ADDRESS_HEADERS);
const FROM_OTHERS = new Set(FORWARDING_HEADERS);

export const hasForwardingHeader = (headers: IncomingHttpHeaders): boolean =>
  FORWARDING_HEADERS.some((name) => headers[name] !== undefined);

/**
 * A copy of the headers for handlers, without client addresses and without internal headers sent from outside. Scheme, host
 * and port headers are kept only from a trusted peer.
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
