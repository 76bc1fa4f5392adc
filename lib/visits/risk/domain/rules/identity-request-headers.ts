import { pageClaim } from "../claims";
import { EMBEDDED_FAMILIES, type EngineFamily } from "../families";
import { releaseOf } from "../releases";
import { foreignOrder, isRewritten } from "../request-shape";
import type { Compared, Rule } from "../rule";
import { parseUserAgent, type ParsedUserAgent } from "../user-agent";
import type { RequestFacts, Visit } from "../visit";

/** `Sec-Fetch-*` by engine; Chromium sends client hints with the same release. Source: MDN browser-compat-data. */
const FIRST_MAJOR: Record<Exclude<EngineFamily, "unknown">, number> = { blink: 90, gecko: 95, webkit: 17 };

/** One header out of place has many explanations. */
const LIMITS = { leastTraits: 2 };
/** Of a header that its browser never sends. */
const ENOUGH_ALONE = Infinity;

/** `weight` is how many traits it stands for. */
type Trait = Compared & { weight: number };

const trait = (label: string, value: string, expected: string, weight = 1): Trait => ({
  label: `${label} (expected: ${expected})`,
  value,
  isOdd: true,
  weight,
});

/** The browser that the request has to fit. */
function claimedBrowser({ signals, request }: Visit): ParsedUserAgent | undefined {
  const page = pageClaim({ signals, request })?.parsed;
  const claimed = page ?? (request.userAgent === undefined ? undefined : parseUserAgent(request.userAgent));
  return claimed?.engine === "unknown" ? undefined : claimed;
}

const isOld = (claimed: ParsedUserAgent) =>
  claimed.engine === "blink" && (claimed.chromiumMajorVersion ?? 0) < FIRST_MAJOR.blink;

/** Whether `Sec-Fetch-*` and client hints are due. Web views and other shells of WebKit number themselves. */
function isDue(request: RequestFacts, claimed: ParsedUserAgent): boolean {
  const release = EMBEDDED_FAMILIES.includes(claimed.family) ? undefined : releaseOf(claimed);
  return release !== undefined && request.isToTrustedAddress === true && release.major >= FIRST_MAJOR[release.engine];
}

/** What browsers say of how a script asked for something: all three or none. */
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

/** Headers that every browser sends with every request of a script. */
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
  // An extension that sets a header moves it: the order counts only together with what is missing.
  const order = found.length === 0 ? undefined : foreignOrder(request, claimed.engine);
  return order === undefined ? found : [...found, trait("Order of headers", order, `that of ${claimed.engine}`)];
}

/** Headers that the claimed browser always sends and this request lacks, or has though the browser never sends them. */
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
      explanation: "The request was not sent in the way in which the browser that the visit names sends its requests.",
      compared: traits.map(({ label, value, isOdd }) => ({ label, value, isOdd })),
    };
  },
};
