type Dispatcher = { on: (event: "connect", listener: (origin: URL, targets: readonly unknown[]) => void) => unknown };

const GLOBAL_DISPATCHER = Symbol.for("undici.globalDispatcher.1");

let guarded: Dispatcher | undefined;

/**
 * Connections that end before a request is sent where the name leads to an address of special use: with the guard that
 * the OAuth server has for the documents of its clients.
 */
async function guardedDispatcher(): Promise<Dispatcher> {
  if (guarded) return guarded;
  const { applySSRFProtection } = await import("oidc-provider/lib/helpers/fetch_request.js");
  await new Response().text(); // Node makes the dispatcher with the first use of what belongs to fetch.
  const current = Reflect.get(globalThis, GLOBAL_DISPATCHER) as { constructor: new () => Dispatcher } | undefined;
  if (!current) throw new Error("no protected connection is available");
  guarded = applySSRFProtection(new current.constructor());
  return guarded;
}

/** `fetch` for addresses that the service does not choose itself: no machine of the operator's network is reached. */
export async function guardedFetch(url: string, options: RequestInit): Promise<Response> {
  // Next wraps `fetch` with a cache of its own.
  const init: RequestInit & { dispatcher: Dispatcher } = {
    ...options,
    cache: "no-store",
    dispatcher: await guardedDispatcher(),
  };
  return await fetch(url, init);
}

/** @throws Error when the body is longer than `maxBytes` */
export async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
