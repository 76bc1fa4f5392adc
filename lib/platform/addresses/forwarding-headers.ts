import type { IncomingHttpHeaders } from "node:http";

/** Headers by which proxies and platforms name the client's address. */
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
/** Headers by which proxies name the address that the client asked for. */
const ORIGIN_HEADERS = ["x-forwarded-proto", "x-forwarded-host", "x-forwarded-port"];
/** Headers that this service sets for itself while it handles a request. */
const INTERNAL_PREFIX = "x-imprint-";

const FORWARDING_HEADERS = [...ADDRESS_HEADERS, ...ORIGIN_HEADERS];
const FROM_TRUSTED = new Set(ADDRESS_HEADERS);
const FROM_OTHERS = new Set(FORWARDING_HEADERS);

export const hasForwardingHeader = (headers: IncomingHttpHeaders): boolean =>
  FORWARDING_HEADERS.some((name) => headers[name] !== undefined);

/**
 * A copy of the headers as handlers may see them: no client address but the one that the caller then sets itself, no
 * internal header from outside, and scheme, host and port only as a trusted peer forwards them.
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
