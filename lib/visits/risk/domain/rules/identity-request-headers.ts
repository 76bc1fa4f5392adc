import { pageClaim } from "../claims";
import { EMBEDDED_FAMILIES, type EngineFamily } from "../families";
import { releaseOf } from "../releases";
import { isRepeated } from "../repeated-text";
import { foreignOrder, isEncodedOnTheWay, isForwarded, isRewritten } from "../request-shape";
import type { Compared } from "../evidence";
import type { Rule } from "../rule";
import { parseUserAgent, type ParsedUserAgent } from "../user-agent";
import type { RequestFacts, Visit } from "../visit";

/**
 * First versions with `Sec-Fetch-*`; Chromium has client hints since the same release. Source: MDN browser-compat-data.
 */
const FIRST_MAJOR: Record<Exclude<EngineFamily, "unknown">, number> = { blink: 90, gecko: 95, webkit: 17 };

/** A single unexpected header has many explanations. */
const LIMITS = { leastTraits: 2 };
/** Weight of a header that the claimed browser never sends. */
const ENOUGH_ALONE = Infinity;

/** `weight` is the number of traits that it counts as. */
type Trait = Compared & { weight: number };

const trait = (label: string, value: string, expected: string, weight = 1): Trait => ({
  label: `${label} (expected: ${expected})`,
  value,
  isOdd: true,
  weight,
});

/** The browser that the request must match. */
function claimedBrowser({ signals, request }: Visit): ParsedUserAgent | undefined {
  const page = pageClaim({ signals, request })?.parsed;
  const claimed = page ?? (request.userAgent === undefined ? undefined : parseUserAgent(request.userAgent));
  return claimed?.engine === "unknown" ? undefined : claimed;
}

const isOld = (claimed: ParsedUserAgent) =>
  claimed.engine === "blink" && (claimed.chromiumMajorVersion ?? 0) < FIRST_MAJOR.blink;

/**
 * Whether `Sec-Fetch-*` and client hints are expected. Web views and other WebKit shells have their own version
 * numbers.
 */
function isDue(request: RequestFacts, claimed: ParsedUserAgent): boolean {
  const release = EMBEDDED_FAMILIES.includes(claimed.family) ? undefined : releaseOf(claimed);
  return release !== undefined && request.isToTrustedAddress === true && release.major >= FIRST_MAJOR[release.engine];
}

const SITES = ["same-origin", "same-site", "cross-site"];

/** `Sec-Fetch-*` of a request made by a script: browsers send all three or none, and pages cannot set them. */
function fetchMetadata({ fetchMetadata: sent = {} }: RequestFacts, claimed: ParsedUserAgent, due: boolean): Trait[] {
  const missing = (["site", "mode", "dest"] as const).filter((name) => sent[name] === undefined);
  const label = "Sec-Fetch headers";
  if (missing.length === 3) return due ? [trait(label, "missing", "site, mode and dest")] : [];
  if (missing.length > 0)
    return isOld(claimed) ? [] : [trait(label, `no ${missing.join(", no ")}`, "site, mode and dest")];
  const isScript = (sent.mode === "cors" || sent.mode === "same-origin") && sent.dest === "empty";
  return isScript && SITES.includes(sent.site ?? "")
    ? []
    : [trait(label, `${sent.site}, ${sent.mode}, ${sent.dest}`, "a site, cors, empty", ENOUGH_ALONE)];
}

/** Headers of a page's own request, which the Fetch standard adds to no other. */
const OF_NAVIGATIONS = ["sec-fetch-user", "upgrade-insecure-requests"];

const navigation = ({ headerNames = [] }: RequestFacts): Trait[] =>
  OF_NAVIGATIONS.filter((name) => headerNames.includes(name)).map((name) =>
    trait(`${name} header`, "present", "missing: only opening a page sends it", ENOUGH_ALONE),
  );

function clientHints({ clientHints: sent }: RequestFacts, claimed: ParsedUserAgent, due: boolean): Trait[] {
  const label = "Sec-CH-UA headers";
  const has = sent.brands !== undefined || sent.platform !== undefined;
  if (claimed.engine !== "blink")
    return has ? [trait(label, sent.brands ?? "present", "none: only Chromium sends them", ENOUGH_ALONE)] : [];
  const isWithout = claimed.family === "opera" && claimed.operatingSystem === "android";
  return has || isWithout || !due ? [] : [trait(label, "missing", "present in this browser")];
}

/** Languages as browsers write them, with falling weights. */
const LANGUAGES =
  /^[A-Za-z]{1,8}(?:-[A-Za-z\d]{1,8}){0,4}(?:,\s?[A-Za-z]{1,8}(?:-[A-Za-z\d]{1,8}){0,4}(?:;\s?q=[01](?:\.\d{1,3})?)?){0,32}$/;

/** What all browsers send first over https, and what follows in Chromium and Firefox; WebKitGTK may be built without. */
const ENCODINGS = /^gzip, ?deflate\b(, ?br\b)?/;

/** `u=0` is the urgency of pages. Source: RFC 9218; measured on Firefox 153: `u=4`. */
const SCRIPT_PRIORITY = /^(?:u=[1-7])?(?:, ?)?i?$/;

const unlike = (
  label: string,
  value: string | undefined,
  isFit: (value: string) => boolean,
  expected: string,
): Trait[] => (value !== undefined && isFit(value) ? [] : [trait(label, value ?? "missing", expected)]);

/** Headers that every browser sends with every request made by a script. */
function ordinaryHeaders(request: RequestFacts, { engine }: ParsedUserAgent): Trait[] {
  const { headerNames = [], acceptLanguage, accept, acceptEncoding, priority, isToTrustedAddress } = request;
  // Visits stored by earlier releases have no value here.
  const encoding = acceptEncoding ?? (headerNames.includes("accept-encoding") ? "gzip, deflate, br" : undefined);
  const isEncoded = (value: string) => {
    const [start, brotli] = ENCODINGS.exec(value) ?? [];
    const isOwn = start !== undefined && (brotli !== undefined || engine === "webkit");
    return isOwn || isToTrustedAddress !== true || isEncodedOnTheWay(request);
  };
  return [
    ...unlike(
      "Accept-Language header",
      acceptLanguage,
      (value) => LANGUAGES.test(value.trim()),
      "a person's languages",
    ),
    ...unlike("Accept header", accept, (value) => value === "*/*", "*/*"),
    ...unlike("Accept-Encoding header", encoding, isEncoded, "gzip, deflate, br"),
    ...unlike("Priority header", priority ?? "", (value) => SCRIPT_PRIORITY.test(value), "that of a script's request"),
  ];
}

/** Values that are there twice, unless an intermediary may have joined two headers. */
function repeatedValues(request: RequestFacts): Trait[] {
  const { accept = "", acceptLanguage = "", acceptEncoding = "", priority = "" } = request;
  const repeated = [accept, acceptLanguage, acceptEncoding, priority].filter(isRepeated);
  if (repeated.length === 0 || isForwarded(request)) return [];
  return repeated.map((value) => trait("Header", value, "the value once", ENOUGH_ALONE));
}

function traitsOf(request: RequestFacts, claimed: ParsedUserAgent): Trait[] {
  const due = isDue(request, claimed);
  const found = [
    ...fetchMetadata(request, claimed, due),
    ...navigation(request),
    ...clientHints(request, claimed, due),
    ...ordinaryHeaders(request, claimed),
    ...repeatedValues(request),
  ];
  // Extensions that set a header also move it, so the order counts only if something is missing as well.
  const order = found.length === 0 ? undefined : foreignOrder(request, claimed.engine);
  return order === undefined ? found : [...found, trait("Order of headers", order, `that of ${claimed.engine}`)];
}

/** Headers that the claimed browser always sends but are missing, or that it never sends but are present. */
export const identityRequestHeaders: Rule = {
  id: "identity.request-headers",
  reason: "BROWSER_IDENTITY_MISMATCH",
  source: "Fetch Metadata Request Headers; User-Agent Client Hints; Fetch standard, default headers",
  harmlessCauses: [
    "A server or proxy of the site that does not pass the browser's headers on",
    "A firewall or an antivirus program that removes headers",
  ],
  limits: LIMITS,
  check(visit, _identity, _profile, limits) {
    const { leastTraits } = { ...LIMITS, ...limits };
    const { request } = visit;
    const claimed = claimedBrowser(visit);
    if (claimed === undefined || request.headerNames === undefined || isRewritten(request)) return undefined;
    const traits = traitsOf(request, claimed);
    if (traits.reduce((sum, { weight }) => sum + weight, 0) < leastTraits) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The request's headers differ from those that the claimed browser sends.",
      compared: traits.map(({ label, value, isOdd }) => ({ label, value, isOdd })),
    };
  },
};
