import { brandLists, browserOfBrands, systemOfPlatform, systemVersion, unquote } from "./client-hints";
import {
  BROWSER_NAMES,
  type BrowserIdentity,
  type BrowserFamily,
  OPERATING_SYSTEM_NAMES,
  type OperatingSystemIdentity,
} from "./families";
import { majorOf, parseUserAgent, type ParsedUserAgent } from "./user-agent";
import { groupValue, type Visit } from "./visit";

export type Identity = { browser: BrowserIdentity; operatingSystem: OperatingSystemIdentity };

/** Brands that derivatives hide behind: their own token in the user agent then tells more. */
const GENERIC: readonly BrowserFamily[] = ["chrome", "chromium"];

/** The reduced user agent keeps only the first number: "142.0.0.0" claims no more than "142". */
const withoutFrozenTail = (version: string) => version.replace(/^(\d+)\.0\.0\.0$/, "$1");

type Named = { family: BrowserFamily; version?: string };

function nameBrowser(visit: Visit, claimed: ParsedUserAgent, hinted: Named | undefined): Named {
  if (groupValue(visit.signals, "navigator")?.isBrave === true && claimed.engine === "blink") {
    return { ...(hinted ?? claimed), family: "brave" };
  }
  const isUserAgentMoreExact =
    hinted !== undefined &&
    GENERIC.includes(hinted.family) &&
    claimed.engine === "blink" &&
    !GENERIC.includes(claimed.family);
  return hinted === undefined || isUserAgentMoreExact ? claimed : hinted;
}

function identifyBrowser(visit: Visit, claimed: ParsedUserAgent): BrowserIdentity {
  const hints = brandLists(visit).flatMap(({ brands }) => browserOfBrands(brands) ?? []);
  const { family, version } = nameBrowser(visit, claimed, hints[0]);
  const majorVersion = majorOf(version);
  const chromiumMajorVersion =
    hints.find((hinted) => hinted.chromiumMajorVersion !== undefined)?.chromiumMajorVersion ??
    claimed.chromiumMajorVersion;
  return {
    family,
    ...(family === "unknown" ? {} : { name: BROWSER_NAMES[family] }),
    ...(version === undefined || majorVersion === undefined
      ? {}
      : { version: withoutFrozenTail(version), majorVersion }),
    engine: claimed.engine,
    ...(chromiumMajorVersion === undefined ? {} : { chromiumMajorVersion }),
  };
}

function identifySystem(visit: Visit, claimed: ParsedUserAgent): OperatingSystemIdentity {
  const uaData = groupValue(visit.signals, "uaData");
  const page = groupValue(visit.signals, "navigator");
  const platform = uaData?.platform ?? unquote(visit.request.clientHints.platform);
  const hinted = systemOfPlatform(platform);
  if (hinted !== undefined && hinted !== "unknown") {
    const version =
      systemVersion(hinted, uaData?.platformVersion) ??
      (hinted === claimed.operatingSystem ? claimed.operatingSystemVersion : undefined);
    return { family: hinted, name: OPERATING_SYSTEM_NAMES[hinted], ...(version === undefined ? {} : { version }) };
  }
  // An iPad asks for desktop sites as a Mac; no Mac has a touch screen.
  const isDesktopIpad =
    claimed.operatingSystem === "macos" && claimed.engine === "webkit" && (page?.maxTouchPoints ?? 0) > 1;
  if (isDesktopIpad) return { family: "ios", name: "iPadOS" };
  const { operatingSystem: family, operatingSystemVersion: version } = claimed;
  if (family === "unknown") return { family };
  const name = claimed.isIpad ? "iPadOS" : OPERATING_SYSTEM_NAMES[family];
  return { family, name, ...(version === undefined ? {} : { version }) };
}

/**
 * Names the browser and the operating system as the visit claims them, from its most exact source: client hints of the
 * page, client hints of the request, then the user agent. What no source tells is left out, never guessed.
 */
export function identify(visit: Visit): Identity {
  const userAgent = groupValue(visit.signals, "navigator")?.userAgent ?? visit.request.userAgent ?? "";
  const claimed = parseUserAgent(userAgent);
  return { browser: identifyBrowser(visit, claimed), operatingSystem: identifySystem(visit, claimed) };
}
