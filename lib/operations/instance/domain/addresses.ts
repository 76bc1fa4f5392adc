const LOCAL_NAMES = ["localhost", "127.0.0.1", "::1", "[::1]"];

/** Whether a host is a loopback name or address. */
const isLoopback = (host: string): boolean => LOCAL_NAMES.includes(host) || host.endsWith(".localhost");

type Finding = { status: "ok" | "warn" | "fail"; text: string; fix?: string };

/** Checks the configured public URL. Cookies and clipboard access require https, except on loopback. */
export function checkBaseUrl(base: string, { host, isSet }: { host: string; isSet: boolean }): Finding {
  const url = new URL(base);
  if (!isSet && !isLoopback(host)) {
    return {
      status: "warn",
      text: `The service listens on ${host} but its links say ${base}.`,
      fix: "Set BASE_URL to the address that people open.",
    };
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return {
      status: "warn",
      text: `${base} is not encrypted: keys and sessions can be read in transit.`,
      fix: "Put a proxy with TLS in front and set BASE_URL to its https address.",
    };
  }
  return { status: "ok", text: `The service is reached at ${base}.` };
}
