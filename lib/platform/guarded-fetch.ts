type Dispatcher = { on: (event: "connect", listener: (origin: URL, targets: readonly unknown[]) => void) => unknown };

const GLOBAL_DISPATCHER = Symbol.for("undici.globalDispatcher.1");

let guarded: Dispatcher | undefined;

/**
 * SSRF protection: a dispatcher of oidc-provider that refuses connections to special-use addresses.
 */
async function guardedDispatcher(): Promise<Dispatcher> {
  if (guarded) return guarded;
  const { applySSRFProtection } = await import("oidc-provider/lib/helpers/fetch_request.js");
  await new Response().text(); // Node creates its dispatcher with the first use of fetch.
  const current = Reflect.get(globalThis, GLOBAL_DISPATCHER) as { constructor: new () => Dispatcher } | undefined;
  if (!current) throw new Error("no protected connection is available");
  guarded = applySSRFProtection(new current.constructor());
  return guarded;
}

/**
 * `fetch` for addresses from outside: it cannot reach the operator's network, unless `mayBePrivate` says that it may.
 * The address that a name led to is looked at, not the name: it may lead elsewhere the next time.
 */
export async function guardedFetch(
  url: string,
  options: RequestInit,
  { mayBePrivate = false }: { mayBePrivate?: boolean } = {},
): Promise<Response> {
  // Next wraps `fetch` with a cache of its own.
  const init: RequestInit & { dispatcher?: Dispatcher } = {
    ...options,
    cache: "no-store",
    ...(!mayBePrivate && { dispatcher: await guardedDispatcher() }),
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
