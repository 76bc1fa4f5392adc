import { type CheckResult, fail, ok, warn } from "./check-result";

const LOCAL_NAMES = ["localhost", "127.0.0.1", "::1", "[::1]"];

/** Whether a host is a loopback name or address. */
const isLoopback = (host: string): boolean => LOCAL_NAMES.includes(host) || host.endsWith(".localhost");

/** What is wrong with a public URL that has a path; undefined without one. */
export const describePath = (base: string): string | undefined =>
  new URL(base).pathname === "/"
    ? undefined
    : `${base} has a path, but links, sign-in and MCP clients use the root of the host.`;

/** Checks the configured public URL. Cookies and clipboard access require https, except on loopback. */
export function checkBaseUrl(base: string, { host, isSet }: { host: string; isSet: boolean }): CheckResult {
  const name = "address";
  const url = new URL(base);
  if (!isSet && !isLoopback(host)) {
    const text = `The service listens on ${host} but its links say ${base}.`;
    return warn(name, text, "Set BASE_URL to the address that people open.");
  }
  const path = describePath(base);
  if (path !== undefined) return fail(name, path, "Give the service its own host name, and set BASE_URL to it.");
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    const text = `${base} is not encrypted: keys and sessions can be read in transit.`;
    return warn(name, text, "Put a proxy with TLS in front and set BASE_URL to its https address.");
  }
  return ok(name, `The service is reached at ${base}.`);
}
