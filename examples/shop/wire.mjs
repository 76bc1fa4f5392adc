/** @typedef {{ request: string[], status: number, headers: string[], body: string, tookMs: number }} Exchange */

const SHOWN_HEADERS = [
  ...["content-type", "cache-control", "x-request-id", "ratelimit-policy", "ratelimit", "retry-after"],
  ...["imprint-delivery", "imprint-surface", "imprint-origin", "imprint-age"],
];

/**
 * A `fetch` that records requests and answers for the page that shows them; a product needs none of this. The key is
 * left out, because it belongs in no page and no log.
 */
export function createWire() {
  const exchanges = /** @type {Exchange[]} */ ([]);
  /** @type {typeof fetch} */
  const recordingFetch = async (input, init) => {
    const startedAt = performance.now();
    const response = await fetch(input, init);
    const body = await response.clone().text();
    const sent = [...new Headers(init?.headers)].filter(([name]) => name.startsWith("imprint-"));
    exchanges.push({
      request: [
        `GET ${input instanceof Request ? input.url : input.toString()}`,
        "X-API-Key: (secret, not shown)",
        ...sent.map(([name, value]) => `${name}: ${value}`),
      ],
      status: response.status,
      headers: SHOWN_HEADERS.flatMap((name) =>
        response.headers.has(name) ? [`${name}: ${response.headers.get(name)}`] : [],
      ),
      body,
      tookMs: Math.round(performance.now() - startedAt),
    });
    return response;
  };
  return { fetch: recordingFetch, last: () => exchanges.at(-1) };
}
