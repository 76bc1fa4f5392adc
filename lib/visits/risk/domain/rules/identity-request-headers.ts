import { pageClaim } from "../claims";
import { EMBEDDED_FAMILIES, type EngineFamily } from "../families";
import { releaseOf } from "../releases";
import { foreignOrder, isRewritten } from "../request-shape";
import type { Compared, Rule } from "../rule";
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

/** `Sec-Fetch-*` of a request made by a script: browsers send all three or none. */
function fetchMetadata({ fetchMetadata: sent = {} }: RequestFacts, claimed: ParsedUserAgent, due: boolean): Trait[] {
  const missing = (["site", "mode", "dest"] as const).filter((name) => sent[name] === undefined);
  const label = "Sec-Fetch headers";
  if (missing.length === 3) return due ? [trait(label, "missing", "site, mode and dest")] : [];
  if (missing.length > 0)
    return isOld(claimed) ? [] : [trait(label, `no ${missing.join(", no ")}`, "site, mode and dest")];
  const isScript = (sent.mode === "cors" || sent.mode === "same-origin") && sent.dest === "empty";
  return isScript ? [] : [trait(label, `${sent.mode}, ${sent.dest}`, "cors, empty")];
}

function clientHints({ clientHints: sent }: RequestFacts, claimed: ParsedUserAgent, due: boolean): Trait[] {
  const label = "Sec-CH-UA headers";
  const has = sent.brands !== undefined || sent.platform !== undefined;
  if (claimed.engine !== "blink")
    return has ? [trait(label, sent.brands ?? "present", "none: only Chromium sends them", ENOUGH_ALONE)] : [];
  const isWithout = claimed.family === "opera" && claimed.operatingSystem === "android";
  return has || isWithout || !due ? [] : [trait(label, "missing", "present in this browser")];
}

/** Headers that every browser sends with every request made by a script. */
function ordinaryHeaders({ headerNames = [], acceptLanguage, accept }: RequestFacts): Trait[] {
  const language = acceptLanguage === undefined || acceptLanguage.trim() === "*";
  return [
    ...(language ? [trait("Accept-Language header", acceptLanguage ?? "missing", "the languages of a person")] : []),
    ...(accept === "*/*" ? [] : [trait("Accept header", accept ?? "missing", "*/*")]),
    ...(headerNames.includes("accept-encoding") ? [] : [trait("Accept-Encoding header", "missing", "present")]),
  ];
}

function traitsOf(request: RequestFacts, claimed: ParsedUserAgent): Trait[] {
  const due = isDue(request, claimed);
  const found = [
    ...fetchMetadata(request, claimed, due),
    ...clientHints(request, claimed, due),
    ...ordinaryHeaders(request),
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
