import { brandLists, systemOfPlatform, systemVersion, unquote } from "./client-hints";
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

/** Generic brands that derivatives use as cover. A more specific token in the user agent is then preferred. */
const GENERIC: readonly BrowserFamily[] = ["chrome", "chromium"];

/** A reduced user agent keeps only the major version: "142.0.0.0" means "142". */
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
  const hints = brandLists(visit).flatMap(({ browser }) => browser ?? []);
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
  // iPads in desktop mode claim to be Macs, but no Mac has a touch screen.
  const isDesktopIpad =
    claimed.operatingSystem === "macos" && claimed.engine === "webkit" && (page?.maxTouchPoints ?? 0) > 1;
  if (isDesktopIpad) return { family: "ios", name: "iPadOS" };
  const { operatingSystem: family, operatingSystemVersion: version } = claimed;
  if (family === "unknown") return { family };
  const name = claimed.isIpad ? "iPadOS" : OPERATING_SYSTEM_NAMES[family];
  return { family, name, ...(version === undefined ? {} : { version }) };
}

/**
 * Names the browser and operating system that the visit claims to be, from its most specific source: client hints of
 * the page, client hints of the request, then the user agent. Facts that no source reports are left out rather than
 * guessed.
 */
export function identify(visit: Visit): Identity {
  const userAgent = groupValue(visit.signals, "navigator")?.userAgent ?? visit.request.userAgent ?? "";
  const claimed = parseUserAgent(userAgent);
  return { browser: identifyBrowser(visit, claimed), operatingSystem: identifySystem(visit, claimed) };
}
