import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";

import { canonicalAddress, isPublicCanonical } from "./addresses";

type Dispatcher = { on: (event: "connect", listener: (origin: URL, targets: readonly unknown[]) => void) => unknown };
type Guard = { dispatcher: Dispatcher; isPublic: (address: string) => boolean };

const GLOBAL_DISPATCHER = Symbol.for("undici.globalDispatcher.1");

const refused = (): Error => new Error("the address is a special-use one");

let guard: Guard | undefined;

/**
 * Resolves a name to its public addresses only, before anything is sent: even a refused connection would reveal what
 * listens in the operator's network.
 */
const lookupPublic =
  (isPublic: Guard["isPublic"]): LookupFunction =>
  (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      const found = error ? [] : addresses.filter(({ address }) => isPublic(address));
      const [first] = found;
      if (!first) callback(error ?? refused(), []);
      else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };

/** SSRF protection: this dispatcher resolves to public addresses only; oidc-provider's wrapper checks each connection. */
async function openGuard(): Promise<Guard> {
  if (guard) return guard;
  const { applySSRFProtection, isSpecialUseIP } = await import("oidc-provider/lib/helpers/fetch_request.js");
  await new Response().text(); // Node creates its dispatcher with the first use of fetch.
  const current = Reflect.get(globalThis, GLOBAL_DISPATCHER) as
    | { constructor: new (options: { connect: { lookup: LookupFunction } }) => Dispatcher }
    | undefined;
  if (!current) throw new Error("no protected connection is available");
  const isPublic = (address: string): boolean => {
    const canonical = canonicalAddress(address);
    return canonical !== undefined && isPublicCanonical(canonical) && !isSpecialUseIP(canonical);
  };
  const dispatcher = new current.constructor({ connect: { lookup: lookupPublic(isPublic) } });
  guard = { dispatcher: applySSRFProtection(dispatcher), isPublic };
  return guard;
}

/** @throws TypeError as `fetch` does, for a host that is a non-public IP literal, which is never resolved */
async function openDispatcher(url: string): Promise<Dispatcher> {
  const { dispatcher, isPublic } = await openGuard();
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0 && !isPublic(host)) throw new TypeError("fetch failed", { cause: refused() });
  return dispatcher;
}

/**
 * `fetch` for URLs supplied by others: it cannot reach the operator's network, unless `mayBePrivate` is set. The resolved
 * address is checked, not the name, which may resolve differently next time. The caller must refuse redirects.
 */
export async function guardedFetch(
  url: string,
  options: RequestInit,
  { mayBePrivate = false }: { mayBePrivate?: boolean } = {},
): Promise<Response> {
  // Next patches `fetch` with its own cache.
  const init: RequestInit & { dispatcher?: Dispatcher } = {
    ...options,
    cache: "no-store",
    ...(!mayBePrivate && { dispatcher: await openDispatcher(url) }),
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
