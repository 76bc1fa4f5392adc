import type { Signals } from "@/lib/contract/signals";
import { featureBits, type Visit } from "@/lib/visits/risk";

type Brand = { brand: string; version: string };
type Engine = "blink" | "gecko" | "webkit";

export type Browser = {
  name: string;
  userAgent: string;
  engine: Engine;
  /** The version that dates the engine. */
  version: string;
  platform: string;
  maxTouchPoints: number;
  /** Client hints, if the browser sends them. */
  hints?: { brands: readonly Brand[]; platform: string; platformVersion: string; mobile: boolean };
};

const CHROMIUM = "142";
const CHROME_VERSION = `${CHROMIUM}.0.7444.60`;
/** The GREASE brand of Chromium 142. */
const GREASE_BRAND: Brand = { brand: "Not_A Brand", version: "99" };
const fullVersionOf = ({ brand, version }: Brand) =>
  brand === GREASE_BRAND.brand ? `${version}.0.0.0` : CHROME_VERSION;
const chromiumBrands = (own: string): Brand[] => [
  { brand: "Chromium", version: "142" },
  { brand: own, version: "142" },
  GREASE_BRAND,
];
const chromeHints = (platform: string, platformVersion: string, mobile = false, own = "Google Chrome") => ({
  brands: chromiumBrands(own),
  platform,
  platformVersion,
  mobile,
});
const BLINK = "AppleWebKit/537.36 (KHTML, like Gecko)";

export const CHROME_WINDOWS: Browser = {
  name: "Chrome on Windows",
  userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/142.0.0.0 Safari/537.36`,
  engine: "blink",
  version: CHROMIUM,
  platform: "Win32",
  maxTouchPoints: 0,
  hints: chromeHints("Windows", "15.0.0"),
};
const EDGE_WINDOWS: Browser = {
  ...CHROME_WINDOWS,
  name: "Edge on Windows",
  userAgent: `${CHROME_WINDOWS.userAgent} Edg/142.0.0.0`,
  hints: chromeHints("Windows", "15.0.0", false, "Microsoft Edge"),
};
export const CHROME_MAC: Browser = {
  name: "Chrome on macOS",
  userAgent: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${BLINK} Chrome/142.0.0.0 Safari/537.36`,
  engine: "blink",
  version: CHROMIUM,
  platform: "MacIntel",
  maxTouchPoints: 0,
  hints: chromeHints("macOS", "26.1.0"),
};
export const CHROME_LINUX: Browser = {
  name: "Chrome on Linux",
  userAgent: `Mozilla/5.0 (X11; Linux x86_64) ${BLINK} Chrome/142.0.0.0 Safari/537.36`,
  engine: "blink",
  version: CHROMIUM,
  platform: "Linux x86_64",
  maxTouchPoints: 0,
  hints: chromeHints("Linux", "6.12.0"),
};
export const CHROME_ANDROID: Browser = {
  name: "Chrome on Android",
  userAgent: `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/142.0.0.0 Mobile Safari/537.36`,
  engine: "blink",
  version: CHROMIUM,
  platform: "Linux armv81",
  maxTouchPoints: 5,
  hints: chromeHints("Android", "16.0.0", true),
};
export const SAFARI_IPHONE: Browser = {
  name: "Safari on iOS",
  userAgent:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1",
  engine: "webkit",
  version: "26.1",
  platform: "iPhone",
  maxTouchPoints: 5,
};
const SAFARI_MAC: Browser = {
  name: "Safari on macOS",
  userAgent:
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
  engine: "webkit",
  version: "26.1",
  platform: "MacIntel",
  maxTouchPoints: 0,
};
const FIREFOX_WINDOWS: Browser = {
  name: "Firefox on Windows",
  userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0",
  engine: "gecko",
  version: "145",
  platform: "Win32",
  maxTouchPoints: 0,
};

/** Weighted by approximate market share. */
export const BROWSERS: readonly [Browser, ...Browser[]] = [
  CHROME_WINDOWS,
  CHROME_WINDOWS,
  CHROME_WINDOWS,
  CHROME_ANDROID,
  CHROME_ANDROID,
  SAFARI_IPHONE,
  SAFARI_IPHONE,
  CHROME_MAC,
  EDGE_WINDOWS,
  SAFARI_MAC,
  FIREFOX_WINDOWS,
];

/**
 * Constants that distinguish the engines: `navigator.vendor`, `productSub`, the length of `eval` and an error message.
 */
const ENGINES = {
  blink: {
    vendor: "Google Inc.",
    productSub: "20030107",
    evalLength: 33,
    errorText: "Cannot read properties of null (reading '0')",
  },
  gecko: { vendor: "", productSub: "20100101", evalLength: 37, errorText: "null has no properties" },
  webkit: {
    vendor: "Apple Computer, Inc.",
    productSub: "20030107",
    evalLength: 37,
    errorText: "null is not an object (evaluating 'null[0]')",
  },
} as const;

const ok = <T>(value: T) => ({ state: "ok" as const, value });

/** Signals that carry no information for the rules. */
const NEUTRAL_SIGNALS: Signals = {
  screen: ok({ media: "0" }),
  locale: ok({ locale: "en-US" }),
  math: ok([]),
  storage: ok({ localStorage: true, sessionStorage: true, indexedDb: true }),
  automation: ok({
    globals: [],
    attributes: [],
    hasHeadlessToken: false,
    isConsoleWatched: false,
    tampered: [],
    navigatorProperties: [],
  }),
  worker: { state: "blocked" },
  iframe: { state: "blocked" },
  webgl: { state: "absent" },
  canvas: { state: "absent" },
  fonts: { state: "absent" },
};

/** The signals of an unmodified browser in `timeZone`. */
export function ordinaryVisit(browser: Browser, timeZone: string): Visit {
  const { vendor, productSub, evalLength, errorText } = ENGINES[browser.engine];
  const realm = {
    userAgent: browser.userAgent,
    platform: browser.platform,
    languages: ["en-US", "en"],
    hardwareConcurrency: 8,
    webdriver: false,
  };
  const signals: Signals = {
    navigator: ok({
      ...realm,
      language: "en-US",
      vendor,
      productSub,
      maxTouchPoints: browser.maxTouchPoints,
      cookieEnabled: true,
    }),
    page: ok({ isSecureContext: true, isFramed: false, hidden: false }),
    engine: ok({ family: browser.engine, evalLength, errorText, hasChromeObject: browser.engine === "blink" }),
    features: ok(featureBits(browser.engine, browser.version, browser.maxTouchPoints > 0)),
    timezone: ok({ timeZone }),
    uaData: browser.hints
      ? ok({
          ...browser.hints,
          brands: [...browser.hints.brands],
          fullVersionList: browser.hints.brands.map((one) => ({ brand: one.brand, version: fullVersionOf(one) })),
        })
      : { state: "absent" },
    ...NEUTRAL_SIGNALS,
  };
  return { signals, request: { userAgent: browser.userAgent, acceptLanguage: "en-US,en;q=0.9", clientHints: {} } };
}
