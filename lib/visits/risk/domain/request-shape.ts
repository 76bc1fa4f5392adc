import type { EngineFamily } from "./families";
import type { RequestFacts } from "./visit";

/**
 * Intermediaries that replace `User-Agent` with their own name and drop browser headers by default. Each adds a header
 * of its own. Source: Amazon CloudFront, request and response behavior for custom origins.
 */
const NAMED_PROXIES: readonly { userAgent: RegExp; header: string }[] = [
  { userAgent: /^Amazon CloudFront$/, header: "x-amz-cf-id" },
];

/** Whether a known intermediary rewrote the request, so that its headers say nothing about the browser. */
export const isRewritten = ({ userAgent = "", headerNames = [] }: RequestFacts): boolean =>
  NAMED_PROXIES.some((proxy) => proxy.userAgent.test(userAgent) || headerNames.includes(proxy.header));

/** Headers that reveal an intermediary, which may have reordered the others. */
const FORWARDING =
  /^(?:via|forwarded|x-forwarded-.{1,40}|x-real-ip|x-client-ip|true-client-ip|cdn-.{1,40}|cf-.{1,40}|fastly-.{1,40}|x-amz.{1,40}|x-envoy-.{1,40}|x-request-id|x-vercel-.{1,40}|traceparent)$/;

/** Headers of intermediaries that encode answers themselves, and replace `Accept-Encoding` therefore. */
const ENCODING =
  /^(?:via|cdn-.{1,40}|cf-.{1,40}|fastly-.{1,40}|x-amz.{1,40}|x-envoy-.{1,40}|x-vercel-.{1,40}|x-varnish)$/;

/** Whether the request's `Accept-Encoding` may be an intermediary's. */
export const isEncodedOnTheWay = ({ headerNames = [] }: RequestFacts): boolean =>
  headerNames.some((name) => ENCODING.test(name));

/** Whether any intermediary is evident, which may have joined repeated headers. */
export const isForwarded = ({ headerNames = [] }: RequestFacts): boolean =>
  headerNames.some((name) => FORWARDING.test(name));

const SEQUENCE: Record<Exclude<EngineFamily, "unknown">, readonly string[]> = {
  blink: ["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"],
  gecko: ["sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site"],
  webkit: ["sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site"],
};

const isSorted = (names: readonly string[]) =>
  names.every((name, index) => index === 0 || (names[index - 1] ?? "") <= name);

/**
 * The request's `Sec-Fetch-*` headers, if they are in an order that the engine does not use. Undefined if the order
 * proves nothing: an intermediary is evident, or the headers are sorted by name, as some proxies do. Measured on
 * Chromium 156, Firefox 153 and WebKitGTK 2.50.
 */
export function foreignOrder(request: RequestFacts, engine: EngineFamily): string | undefined {
  const { headerNames = [] } = request;
  if (engine === "unknown" || isForwarded(request) || isSorted(headerNames)) return undefined;
  const present = headerNames.filter((name) => name.startsWith("sec-fetch-"));
  const expected = SEQUENCE[engine].filter((name) => present.includes(name));
  const inSequence = present.filter((name) => expected.includes(name));
  return inSequence.join() === expected.join() ? undefined : inSequence.join(", ");
}
