/** Settings of `createImprintServer`. */
export type ImprintServerOptions = {
  /** Address of the service, e.g. `https://imprint.example.com`. */
  endpoint: string | URL | undefined;
  /** Server key (`svc_live_…`). It stays on your server: never in a page, a repository or a log. */
  apiKey: string | undefined;
  /** Longest time for one call, all attempts and the waits between them included. Default: 2000. */
  timeoutMs?: number | undefined;
  /** Longest time for one attempt. Default: half of `timeoutMs`, so that a request that hangs is sent a second time. */
  attemptTimeoutMs?: number | undefined;
  /** How often a request is sent again after a failure that it is safe to repeat. Default: 2. */
  retries?: number | undefined;
  /** In place of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
};

export type Settings = {
  /** Without a trailing slash. */
  endpoint: string;
  apiKey: string;
  timeoutMs: number;
  attemptTimeoutMs: number;
  retries: number;
  fetch: typeof globalThis.fetch;
};

const DEFAULT_TIMEOUT_MS = 2000;
const DEFAULT_RETRIES = 2;
const MAX_RETRIES = 10;
/** setTimeout counts in 31 bits: a longer wait would end at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Messages never repeat a value: it may be a key that stands in the wrong place. */
const refuse = (message: string): never => {
  throw new TypeError(`createImprintServer: ${message}`);
};

function parseEndpoint(given: unknown): string {
  const text = given instanceof URL ? given.href : given;
  if (typeof text !== "string" || text === "")
    return refuse("endpoint is missing. Give the address of your Imprint service, e.g. https://imprint.example.com");
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return refuse("endpoint is not an address. Give it with its scheme, e.g. https://imprint.example.com");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse("endpoint has to begin with https or http");
  if (url.username !== "" || url.password !== "")
    return refuse("endpoint holds a user name or a password: leave it out");
  if (url.search !== "" || url.hash !== "") return refuse("endpoint has a query or a fragment: leave it out");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function parseKey(given: unknown): string {
  if (typeof given !== "string" || given === "")
    return refuse("apiKey is missing. Is the environment variable set that holds your server key (svc_live_…)?");
  if (!/^[\x21-\x7e]+$/.test(given)) return refuse("apiKey holds a blank, a line break or another character of no key");
  if (given.startsWith("env_")) return refuse("apiKey is an environment id. Give the server key (svc_live_…)");
  return given;
}

function parseNumber(name: string, given: number | undefined, fallback: number, least: number, most: number): number {
  const value: unknown = given ?? fallback;
  if (typeof value !== "number" || !(value >= least && value <= most))
    return refuse(`${name} has to be a number from ${least} to ${most}`);
  return value;
}

/**
 * Checks what the site passed, once, when it starts.
 *
 * @throws TypeError that names the option
 */
export function parseOptions(options: ImprintServerOptions): Settings {
  const given = Object(options) as Partial<ImprintServerOptions>;
  const timeoutMs = parseNumber("timeoutMs", given.timeoutMs, DEFAULT_TIMEOUT_MS, 1, MAX_TIMEOUT_MS);
  const ask = given.fetch ?? globalThis.fetch;
  if (typeof ask !== "function")
    return refuse("this runtime has no fetch. Node 20 or newer has; or give one as `fetch`");
  return {
    endpoint: parseEndpoint(given.endpoint),
    apiKey: parseKey(given.apiKey),
    timeoutMs,
    attemptTimeoutMs: parseNumber("attemptTimeoutMs", given.attemptTimeoutMs, timeoutMs / 2, 0.5, MAX_TIMEOUT_MS),
    retries: parseNumber("retries", given.retries, DEFAULT_RETRIES, 0, MAX_RETRIES),
    // A method of nothing: Cloudflare's fetch refuses to be called as one of an object.
    fetch: (input, init) => ask(input, init),
  };
}
