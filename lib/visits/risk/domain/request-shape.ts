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

/** Headers of intermediaries that encode answers themselves, and replace `Accept-Encoding` therefore. */
const ENCODING =
  /^(?:via|cdn-.{1,40}|cf-.{1,40}|fastly-.{1,40}|x-amz.{1,40}|x-envoy-.{1,40}|x-vercel-.{1,40}|x-varnish)$/;

/** Whether the request's `Accept-Encoding` may be an intermediary's. */
export const isEncodedOnTheWay = ({ headerNames = [] }: RequestFacts): boolean =>
  headerNames.some((name) => ENCODING.test(name));

/**
 * Measured on Chromium 156 and Firefox 153. Safari's order is not known: WebKit leaves it to the network library of its
 * platform.
 */
const SEQUENCE: Partial<Record<EngineFamily, readonly string[]>> = {
  blink: ["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"],
  gecko: ["sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site"],
};

/** Headers that these engines send before `Sec-Fetch-*`, as do proxies that sort. */
const EARLIER = ["content-type", "accept", "origin"];

/** Headers that only browsers write. Intermediaries write the others first, last or anew. */
const OF_BROWSERS = /^(?:accept(?:-.{1,40})?|content-type|origin|referer|sec-.{1,40})$/;

const isSorted = (names: readonly string[]) =>
  names.every((name, index) => index === 0 || (names[index - 1] ?? "") <= name);

/** What the order of the request's headers shows of their writer. Empty if it proves nothing. */
export type Disorder = {
  /** `Sec-Fetch-*` in an order that the engine does not use. */
  sequence?: string | undefined;
  /** Headers that follow `Sec-Fetch-*`, although the engine sends them before. */
  late: readonly string[];
};

/**
 * Compares the order of headers with the engine's. Intermediaries keep the order in which headers came (nginx, HAProxy,
 * Envoy, Apache), or sort them all by name (every program in Go, and those that use the `Headers` of the Fetch standard);
 * what they write themselves may stand anywhere. Headers that reveal an intermediary therefore change nothing here, and
 * anyone can send them.
 */
export function disorderOf({ headerNames = [] }: RequestFacts, engine: EngineFamily): Disorder {
  const expected = SEQUENCE[engine];
  if (expected === undefined || isSorted(headerNames.filter((name) => OF_BROWSERS.test(name)))) return { late: [] };
  const inSequence = headerNames.filter((name) => expected.includes(name));
  const isOwn = inSequence.join() === expected.filter((name) => inSequence.includes(name)).join();
  const first = headerNames.findIndex((name) => expected.includes(name));
  const late = first < 0 ? [] : EARLIER.filter((name) => headerNames.lastIndexOf(name) > first);
  return { sequence: isOwn ? undefined : inSequence.join(", "), late };
}
