import { cacheResults } from "./cache-results";
import type { BrowserFamily, EngineFamily, OperatingSystemFamily } from "./families";
import { programOf } from "./programs";

/** The contract's limit for user agents. Request headers may be longer, but nothing after this matters. */
const MAX_USER_AGENT = 512;

type Token = { token: string; family: BrowserFamily; pattern: RegExp };

/** The version after `name/` at the start of a token. Digits are bounded so that no input makes it slow. */
const versionPattern = (name: string) => new RegExp(`(?:^|[\\s;(])${name}/(\\d{1,6}(?:\\.\\d{1,6}){0,4})`);

/**
 * Product tokens, most specific first, since every derivative also has the token of the browser that it derives from.
 * The `iOS` variants are those vendors' WebKit shells.
 */
const FAMILY_BY_TOKEN: readonly (readonly [token: string, family: BrowserFamily])[] = [
  ["HeadlessChrome", "headless-chrome"],
  ["EdgiOS", "edge"],
  ["EdgA", "edge"],
  ["Edg", "edge"],
  ["Edge", "edge"],
  ["OPR", "opera"],
  ["OPT", "opera"],
  ["OPX", "opera"],
  ["Vivaldi", "vivaldi"],
  ["YaBrowser", "yandex"],
  ["SamsungBrowser", "samsung-internet"],
  ["DuckDuckGo", "duckduckgo"],
  ["Ddg", "duckduckgo"],
  ["UCBrowser", "uc-browser"],
  ["HuaweiBrowser", "huawei-browser"],
  ["MiuiBrowser", "miui-browser"],
  ["Whale", "whale"],
  ["Electron", "electron"],
  ["QtWebEngine", "qtwebengine"],
  ["CriOS", "chrome"],
  ["FxiOS", "firefox"],
  ["Focus", "firefox"],
  ["Firefox", "firefox"],
  ["Chromium", "chromium"],
  ["Chrome", "chrome"],
];

const TOKENS: readonly Token[] = FAMILY_BY_TOKEN.map(([token, family]) => ({
  token,
  family,
  pattern: versionPattern(token),
}));

const CHROMIUM = /(?:^|[\s;(])(?:Headless)?Chrom(?:e|ium)\/(\d{1,6})/;
const VERSION = versionPattern("Version");

export type ParsedUserAgent = {
  family: BrowserFamily;
  version?: string;
  engine: EngineFamily;
  chromiumMajorVersion?: number;
  operatingSystem: OperatingSystemFamily;
  operatingSystemVersion?: string;
  isIpad: boolean;
  /** The program that it names instead of a browser. */
  program?: string;
};

export const majorOf = (version: string | undefined): number | undefined => {
  const digits = /^\d{1,6}/.exec(version ?? "")?.[0];
  return digits === undefined ? undefined : Number(digits);
};

function engineOf(userAgent: string): EngineFamily {
  if (/\b(?:Headless)?Chrom(?:e|ium)\/\d/.test(userAgent)) return "blink";
  if (/\bGecko\/\d/.test(userAgent)) return "gecko";
  return userAgent.includes("AppleWebKit/") ? "webkit" : "unknown";
}

/** Windows NT 10.0 means both Windows 10 and 11, so it has no version. */
const WINDOWS_BY_NT: Record<string, string> = { "6.0": "Vista", "6.1": "7", "6.2": "8", "6.3": "8.1" };

type ParsedSystem = Pick<ParsedUserAgent, "operatingSystem" | "operatingSystemVersion">;

const system = (operatingSystem: OperatingSystemFamily, version?: string): ParsedSystem =>
  version === undefined ? { operatingSystem } : { operatingSystem, operatingSystemVersion: version };

/**
 * Parses the iOS version, with dots for underscores. From 26 on, Safari has the frozen 18_6 or 18_7 here and the
 * system's version after `Version/`. In other browsers the frozen value says nothing.
 *
 * Source: webkit.org, release notes of Safari 26.0.
 */
function parseIos(userAgent: string): ParsedSystem {
  const written = /\bOS (\d{1,3}(?:_\d{1,3}){1,2}) like Mac/.exec(userAgent)?.[1]?.replaceAll("_", ".");
  if (written !== "18.6" && written !== "18.7") return system("ios", written);
  const safari = VERSION.exec(userAgent)?.[1];
  return system("ios", safari);
}

function parseSystem(userAgent: string): ParsedSystem {
  const windows = /\bWindows NT (\d{1,2}\.\d{1,2})/.exec(userAgent)?.[1];
  if (windows !== undefined) return system("windows", WINDOWS_BY_NT[windows]);
  if (/\b(?:iPhone|iPad|iPod)\b/.test(userAgent)) return parseIos(userAgent);
  const android = /\bAndroid(?: (\d{1,3}(?:\.\d{1,3}){0,2}))?/.exec(userAgent);
  // "Android 10; K" is the frozen text of Chromium's reduced user agent.
  if (android) return system("android", /Android 10; K[);]/.test(userAgent) ? undefined : android[1]);
  if (/\bCrOS\b/.test(userAgent)) return system("chromeos");
  const mac = /\bMac OS X(?: (\d{1,3}(?:[._]\d{1,3}){1,2}))?/.exec(userAgent);
  if (mac) {
    const version = mac[1]?.replaceAll("_", ".");
    // Every browser froze this at Catalina, so it means "10.15 or later".
    return system("macos", version?.startsWith("10.15") === true ? undefined : version);
  }
  return system(/\b(?:Linux|X11)\b/.test(userAgent) ? "linux" : "unknown");
}

type ParsedBrowser = Pick<ParsedUserAgent, "family" | "version">;

const browser = (family: BrowserFamily, version: string | undefined): ParsedBrowser =>
  version === undefined ? { family } : { family, version };

function parseBrowser(userAgent: string, operatingSystem: OperatingSystemFamily): ParsedBrowser {
  const explorer = /\bTrident\/.{0,200}\brv:(\d{1,3}\.\d{1,3})|\bMSIE (\d{1,3}\.\d{1,3})/.exec(userAgent);
  if (explorer) return browser("internet-explorer", explorer[1] ?? explorer[2]);

  for (const { token, family, pattern } of TOKENS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version === undefined) continue;
    const isWebView = token === "Chrome" && userAgent.includes("; wv)");
    return browser(isWebView ? "android-webview" : family, version);
  }
  if (!userAgent.includes("AppleWebKit/")) return { family: "unknown" };
  const version = VERSION.exec(userAgent)?.[1];
  if (version !== undefined && userAgent.includes("Safari/")) {
    return browser(operatingSystem === "linux" ? "webkitgtk" : "safari", version);
  }
  return { family: operatingSystem === "ios" ? "ios-webview" : "unknown" };
}

function parse(userAgent: string): ParsedUserAgent {
  const parsedSystem = parseSystem(userAgent);
  const chromiumMajorVersion = majorOf(CHROMIUM.exec(userAgent)?.[1]);
  const program = programOf(userAgent);
  return {
    ...parseBrowser(userAgent, parsedSystem.operatingSystem),
    ...parsedSystem,
    engine: engineOf(userAgent),
    ...(chromiumMajorVersion === undefined ? {} : { chromiumMajorVersion }),
    isIpad: /\biPad\b/.test(userAgent),
    ...(program === undefined ? {} : { program }),
  };
}

/** Several rules parse the same user agents of a visit. */
const parseOnce = cacheResults<Readonly<ParsedUserAgent>>(parse);

/** Parses the claims of a user agent. Never throws. Anything it does not contain is unknown or left out. */
export const parseUserAgent = (raw: string): Readonly<ParsedUserAgent> => parseOnce(raw.slice(0, MAX_USER_AGENT));
