import type { EngineFamily } from "./families";
import type { RequestFacts } from "./visit";

/**
 * Services on the way that put their own name into `User-Agent` and leave out what a browser sends, unless they are told
 * otherwise. Each adds a header of its own. Source: Amazon CloudFront, request and response behavior for custom origins.
 */
const NAMED_PROXIES: readonly { userAgent: RegExp; header: string }[] = [
  { userAgent: /^Amazon CloudFront$/, header: "x-amz-cf-id" },
];

/** Whether a known service on the way rewrote the request, so that its headers say nothing about the browser. */
export const isRewritten = ({ userAgent = "", headerNames = [] }: RequestFacts): boolean =>
  NAMED_PROXIES.some((proxy) => proxy.userAgent.test(userAgent) || headerNames.includes(proxy.header));

/** Headers that tell of something on the way, which may have set the others in another order. */
const FORWARDING =
  /^(?:via|forwarded|x-forwarded-.{1,40}|x-real-ip|x-client-ip|true-client-ip|cdn-.{1,40}|cf-.{1,40}|fastly-.{1,40}|x-amz.{1,40}|x-envoy-.{1,40}|x-request-id|x-vercel-.{1,40}|traceparent)$/;

const SEQUENCE: Record<Exclude<EngineFamily, "unknown">, readonly string[]> = {
  blink: ["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"],
  gecko: ["sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site"],
  webkit: ["sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site"],
};

const isSorted = (names: readonly string[]) =>
  names.every((name, index) => index === 0 || (names[index - 1] ?? "") <= name);

/**
 * The headers in an order that their engine does not use. Undefined where nothing can be said: something on the way is
 * known, or the names are sorted, as some proxies pass them on. Measured on Chromium 156, Firefox 153, WebKitGTK 2.50.
 */
export function foreignOrder({ headerNames = [] }: RequestFacts, engine: EngineFamily): string | undefined {
  if (engine === "unknown" || headerNames.some((name) => FORWARDING.test(name)) || isSorted(headerNames))
    return undefined;
  const present = headerNames.filter((name) => name.startsWith("sec-fetch-"));
  const expected = SEQUENCE[engine].filter((name) => present.includes(name));
  const inSequence = present.filter((name) => expected.includes(name));
  return inSequence.join() === expected.join() ? undefined : inSequence.join(", ");
}
