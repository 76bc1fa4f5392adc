import type { RequestFacts } from "./visit";

type ReadHeader = (name: string) => string | undefined;

const MAX_VALUE = 512;
const MAX_SHORT_VALUE = 128;
const MAX_NAME = 64;
/** Browsers send about 16 headers, and proxies add a few. */
const MAX_NAMES = 48;

const LOOPBACK_HOST = /^(?:localhost|[\w-]{1,63}\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/;

/**
 * Whether the browser considers page and destination trustworthy: `https`, or the local machine. Pages on `https` cannot
 * send requests elsewhere. The name of the destination proves nothing for a page on another machine, because proxies
 * replace it by their own name for the service. Source: Secure Contexts, potentially trustworthy URL; Mixed Content.
 */
function isToTrustedAddress(read: ReadHeader): boolean {
  const [scheme, page = ""] = (read("origin") ?? "").split("://", 2);
  return scheme === "https" || (LOOPBACK_HOST.test(page) && LOOPBACK_HOST.test(read("host") ?? ""));
}

/**
 * Extracts the values that rules compare, and the header names in order of arrival.
 *
 * @param names in lower case
 */
export function requestFacts(read: ReadHeader, names: readonly string[]): RequestFacts {
  const value = (name: string) => read(name)?.slice(0, MAX_VALUE);
  const shortValue = (name: string) => read(name)?.slice(0, MAX_SHORT_VALUE);
  return {
    userAgent: value("user-agent"),
    acceptLanguage: value("accept-language"),
    clientHints: {
      brands: value("sec-ch-ua"),
      mobile: value("sec-ch-ua-mobile"),
      platform: value("sec-ch-ua-platform"),
      fullVersionList: value("sec-ch-ua-full-version-list"),
      platformVersion: value("sec-ch-ua-platform-version"),
      architecture: value("sec-ch-ua-arch"),
      bitness: value("sec-ch-ua-bitness"),
      model: value("sec-ch-ua-model"),
    },
    accept: shortValue("accept"),
    acceptEncoding: shortValue("accept-encoding"),
    priority: shortValue("priority"),
    via: shortValue("via"),
    fetchMetadata: {
      site: shortValue("sec-fetch-site"),
      mode: shortValue("sec-fetch-mode"),
      dest: shortValue("sec-fetch-dest"),
    },
    isToTrustedAddress: isToTrustedAddress(read),
    headerNames: names.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME)),
  };
}
