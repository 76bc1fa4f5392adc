import { pageClaim } from "../claims";
import { EMBEDDED_FAMILIES } from "../families";
import { isRewritten } from "../request-shape";
import type { Compared } from "../evidence";
import type { Rule } from "../rule";
import { majorOf, parseUserAgent, type ParsedUserAgent } from "../user-agent";
import { groupValue, type RequestFacts, type Visit } from "../visit";

/** Headers are kept up to this length, the page's user agent too. */
const MAX_TEXT = 512;

/** Structured headers mean the same with other spaces, which intermediaries may write. */
const compact = (text: string) => text.trim().replaceAll(/\s*([,;])\s*/g, "$1");

type UaData = Extract<NonNullable<Visit["signals"]["uaData"]>, { state: "ok" }>["value"];
type Hint = keyof RequestFacts["clientHints"];

const quoted = (text: string | undefined) => (text === undefined ? undefined : `"${text}"`);
const listText = (brands: UaData["brands"]) =>
  brands === undefined || brands.length === 0
    ? undefined
    : brands.map(({ brand = "", version = "" }) => `"${brand}";v="${version}"`).join(", ");

/** Each client hint as the page's value has it in a header. Source: RFC 9651, strings, booleans and lists. */
const HINTS: readonly [hint: Hint, header: string, textOf: (page: UaData) => string | undefined][] = [
  ["brands", "Sec-CH-UA", ({ brands }) => listText(brands)],
  ["mobile", "Sec-CH-UA-Mobile", ({ mobile }) => (mobile === undefined ? undefined : mobile ? "?1" : "?0")],
  ["platform", "Sec-CH-UA-Platform", ({ platform }) => quoted(platform)],
  ["fullVersionList", "Sec-CH-UA-Full-Version-List", ({ fullVersionList }) => listText(fullVersionList)],
  ["platformVersion", "Sec-CH-UA-Platform-Version", ({ platformVersion }) => quoted(platformVersion)],
  ["architecture", "Sec-CH-UA-Arch", ({ architecture }) => quoted(architecture)],
  ["bitness", "Sec-CH-UA-Bitness", ({ bitness }) => quoted(bitness)],
  ["model", "Sec-CH-UA-Model", ({ model }) => quoted(model)],
];

/** Whether other rules have found what differs, or a device in desktop-site mode explains it. */
const isOtherBrowser = (one: ParsedUserAgent, other: ParsedUserAgent) =>
  one.engine !== other.engine ||
  one.family !== other.family ||
  one.operatingSystem !== other.operatingSystem ||
  majorOf(one.version) !== majorOf(other.version) ||
  one.chromiumMajorVersion !== other.chromiumMajorVersion;

/** A user agent with other characters than ASCII arrives in bytes of unknown encoding. */
const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

const differing = (header: string, sent: string, page: string): Compared[] => [
  { label: `${header} header`, value: sent, isOdd: true },
  { label: `${header}, as the page states it`, value: page, isOdd: false },
];

function userAgents(visit: Visit): Compared[] {
  const page = pageClaim(visit);
  const header = visit.request.userAgent;
  if (page === undefined || header === undefined || header === page.userAgent || !isAscii(page.userAgent)) return [];
  const [sent, stated] = [header.trim(), page.userAgent.trim().slice(0, MAX_TEXT)];
  return sent === stated || isOtherBrowser(page.parsed, parseUserAgent(header))
    ? []
    : differing("User-Agent", sent, stated);
}

function clientHints({ signals, request }: Visit): Compared[] {
  const page = groupValue(signals, "uaData");
  if (page === undefined) return [];
  return HINTS.flatMap(([hint, header, textOf]) => {
    const sent = request.clientHints[hint];
    // A header as long as the limit may have been cut.
    if (sent === undefined || sent.length >= MAX_TEXT) return [];
    const stated = textOf(page);
    const isEqual = stated === undefined || sent === stated || compact(sent) === compact(stated);
    return isEqual ? [] : differing(header, sent, stated);
  });
}

/**
 * Headers that the browser writes from the same value as the page's, but whose text differs: the request was written by
 * something else. Covers what names the same browser, system and version; other rules compare those.
 */
export const identityRequestText: Rule = {
  id: "identity.request-text",
  reason: "BROWSER_IDENTITY_MISMATCH",
  source: "HTML standard, NavigatorID.userAgent; WICG User-Agent Client Hints: headers and page show one value",
  harmlessCauses: ["An extension that changes the user agent", "A gateway that rewrites request headers"],
  // These deliberately name another system in the header than in the page.
  explainedBy: ["tor", "gecko-rfp"],
  check(visit, identity, profile) {
    if (isRewritten(visit.request)) return undefined;
    const isHinted = profile !== "brave" && !EMBEDDED_FAMILIES.includes(identity.browser.family);
    const compared = [...userAgents(visit), ...(isHinted ? clientHints(visit) : [])];
    return {
      status: "SUSPICIOUS",
      explanation: "The request describes the browser in other words than the page does, although both come from it.",
      compared,
    };
  },
};
