import { type Font, FONTS } from "@/lib/contract/signal-lists";
import { Signals } from "@/lib/contract/signals";

import chromium from "./captures/chromium.json";
import chromiumAsChromeOsHeadless from "./captures/chromium-as-chromeos-headless.json";
import chromiumDeveloperTools from "./captures/chromium-developer-tools.json";
import chromiumHeadless from "./captures/chromium-headless.json";
import developerToolsAsPixel from "./captures/developer-tools-as-pixel.json";
import epiphany from "./captures/epiphany.json";
import falkon from "./captures/falkon.json";
import firefox from "./captures/firefox.json";
import firefoxHeadless from "./captures/firefox-headless.json";
import firefoxPrivate from "./captures/firefox-private.json";
import firefoxResistFingerprinting from "./captures/firefox-resist-fingerprinting.json";
import playwright from "./captures/playwright.json";
import playwrightAsFirefox from "./captures/playwright-as-firefox.json";
import playwrightAsIphone from "./captures/playwright-as-iphone.json";
import playwrightDisguised from "./captures/playwright-disguised.json";
import playwrightHeadfulEmulated from "./captures/playwright-headful-emulated.json";
import playwrightHeadfulFlagOff from "./captures/playwright-headful-flag-off.json";
import playwrightStealth from "./captures/playwright-stealth.json";
import puppeteerFirefox from "./captures/puppeteer-firefox.json";
import qutebrowser from "./captures/qutebrowser.json";
import seleniumEvasive from "./captures/selenium-evasive.json";
import webkitGtkDriven from "./captures/webkitgtk-driven.json";
import { assessRisk } from "./domain/assess-risk";
import type { Evidence } from "./domain/evidence";
import type { Rule } from "./domain/rule";
import { groupValue, type RequestFacts, type Visit } from "./domain/visit";

/** The finding of `rule` in a visit, from the whole assessment, so that privacy profiles apply. */
export const findingOf = (rule: Rule, visit: Visit): Evidence | undefined =>
  assessRisk(visit).evidence.find(({ ruleId }) => ruleId === rule.id);

const load = (capture: { signals: unknown; request: RequestFacts }): Visit => ({
  signals: Signals.parse(capture.signals),
  request: capture.request,
});

/**
 * Submissions of the browser component from real browsers on Linux: Chromium 156, Firefox ESR 153, WebKitGTK 2.50,
 * QtWebEngine 5.15; Playwright 1.65, Puppeteer 24, Selenium 4. Browsers with a window ran on a virtual screen. Some
 * fields that no rule reads are omitted.
 */
export const CAPTURED = {
  chromium: load(chromium),
  chromiumDeveloperTools: load(chromiumDeveloperTools),
  chromiumAsChromeOsHeadless: load(chromiumAsChromeOsHeadless),
  firefox: load(firefox),
  firefoxHeadless: load(firefoxHeadless),
  firefoxResistFingerprinting: load(firefoxResistFingerprinting),
  chromiumHeadless: load(chromiumHeadless),
  playwright: load(playwright),
  playwrightAsIphone: load(playwrightAsIphone),
  playwrightDisguised: load(playwrightDisguised),
  playwrightHeadfulEmulated: load(playwrightHeadfulEmulated),
  playwrightHeadfulFlagOff: load(playwrightHeadfulFlagOff),
  playwrightAsFirefox: load(playwrightAsFirefox),
  playwrightStealth: load(playwrightStealth),
  puppeteerFirefox: load(puppeteerFirefox),
  seleniumEvasive: load(seleniumEvasive),
  webkitGtkDriven: load(webkitGtkDriven),
  developerToolsAsPixel: load(developerToolsAsPixel),
  epiphany: load(epiphany),
  falkon: load(falkon),
  firefoxPrivate: load(firefoxPrivate),
  qutebrowser: load(qutebrowser),
};

/** The bitmap of a machine that has only these fonts. */
export const fontBits = (...present: Font[]): string =>
  FONTS.map((font) => (present.includes(font) ? "1" : "0")).join("");

const WINDOWS_FONTS = fontBits("Arial", "Calibri", "Consolas", "Segoe UI", "Tahoma");
const MAC_FONTS = fontBits("Arial", "Geneva", "Helvetica Neue", "Menlo");
const SYSTEM_FONTS: Record<string, string> = { Windows: WINDOWS_FONTS, macOS: MAC_FONTS, Android: fontBits("Roboto") };

/** The visit with different digits in a bitmap group. */
export const withBits = (visit: Visit, name: "features" | "fonts", bits: string): Visit => ({
  ...visit,
  signals: Signals.parse({ ...visit.signals, [name]: { state: "ok", value: bits } }),
});

type ObjectGroup = Exclude<keyof Signals, "audio" | "features" | "math" | "fonts">;
type Changes = Partial<Record<ObjectGroup, Record<string, unknown>>>;

/** The visit with some values of its groups replaced; undefined removes a value. Validated by the contract. */
export const withValues = (visit: Visit, changes: Changes, request: Partial<RequestFacts> = {}): Visit => {
  const changed = Object.entries(changes).map(([name, value]) => {
    const before: object | undefined = groupValue(visit.signals, name as ObjectGroup);
    return [name, { state: "ok", value: { ...before, ...value } }];
  });
  const signals: unknown = { ...visit.signals, ...Object.fromEntries(changed) };
  return { signals: Signals.parse(signals), request: { ...visit.request, ...request } };
};

type FailedState = "absent" | "blocked" | "timeout" | "error";

/** The visit with whole groups removed or in another state. */
export const withStates = (visit: Visit, states: Partial<Record<keyof Signals, FailedState | "missing">>): Visit => {
  const changed = Object.entries(states).map(([name, state]) => [name, state === "missing" ? undefined : { state }]);
  const signals: unknown = { ...visit.signals, ...Object.fromEntries(changed) };
  return { ...visit, signals: Signals.parse(signals) };
};

/** The visit with one user agent in every realm and in the request. */
export const withUserAgent = (visit: Visit, userAgent: string): Visit =>
  withValues(visit, { navigator: { userAgent }, worker: { userAgent }, iframe: { userAgent } }, { userAgent });

type ChromiumFacts = {
  userAgent: string;
  platform: string;
  brand?: string;
  fullVersion?: string;
  uaPlatform: string;
  platformVersion: string;
  mobile?: boolean;
  model?: string;
};

/** A Chromium derivative as documented by its vendor, based on the capture. */
const chromiumLike = (facts: ChromiumFacts): Visit => {
  const {
    platform,
    uaPlatform,
    platformVersion,
    brand,
    fullVersion = "142.0.7444.60",
    mobile = false,
    model = "",
  } = facts;
  const named = (version: string, own: string) => [
    { brand: "Chromium", version },
    ...(brand === undefined ? [] : [{ brand, version: own }]),
    // The GREASE brand of Chromium 142.
    { brand: "Not_A Brand", version: "99" },
  ];
  const brands = named("142", fullVersion.split(".")[0] ?? "");
  const visit = withUserAgent(CAPTURED.chromium, facts.userAgent);
  // The capture's Chromium is newer than the one described here and runs on a computer.
  const features = mobile ? "1011111111100011110111011111001110" : "1011111111100011111111111111101110";
  return withValues(
    withBits(withBits(visit, "features", features), "fonts", SYSTEM_FONTS[uaPlatform] ?? ""),
    {
      navigator: { platform, maxTouchPoints: mobile ? 5 : 0 },
      worker: { platform, brands, uaPlatform },
      iframe: { platform },
      uaData: {
        brands,
        fullVersionList: named("142.0.7444.60", fullVersion),
        platform: uaPlatform,
        platformVersion,
        mobile,
        model,
      },
    },
    {
      clientHints: {
        brands: brands.map((item) => `"${item.brand}";v="${item.version}"`).join(", "),
        mobile: mobile ? "?1" : "?0",
        platform: `"${uaPlatform}"`,
      },
    },
  );
};

const WINDOWS =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";
const WEBVIEW =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.7444.60 Mobile Safari/537.36";
const MAC_SAFARI =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15";
const IPHONE_SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1";

/** Not Chromium: no client hints, and the WebKit engine. */
const webkitLike = (userAgent: string, platform: string, maxTouchPoints: number): Visit => {
  const realm = { platform, deviceMemory: undefined };
  const visit = withValues(
    withUserAgent(CAPTURED.chromium, userAgent),
    {
      navigator: { ...realm, vendor: "Apple Computer, Inc.", maxTouchPoints },
      worker: { ...realm, brands: undefined, uaPlatform: undefined, renderer: undefined, vendor: undefined },
      iframe: realm,
      engine: {
        family: "webkit",
        evalLength: 37,
        errorText: "null is not an object (evaluating 'null[0]')",
        hasChromeObject: false,
      },
      webgl: { vendor: "Apple Inc.", renderer: "Apple GPU", limits: [16384, 16384, 16384, 16384, 1024, 1024, 16] },
      canvas: { hash: "00ff00ff00ff00ff", isStable: true, solidFillErrors: 0 },
    },
    { clientHints: {} },
  );
  // All listed features of Safari 26.0.
  const features = "1011111111100011010110001111100111";
  return withStates(withBits(withBits(visit, "fonts", MAC_FONTS), "features", features), { uaData: "absent" });
};

const chromeWindows = (brand: string, suffix = "", fullVersion = "142.0.7444.60") =>
  chromiumLike({
    userAgent: WINDOWS + suffix,
    platform: "Win32",
    brand,
    fullVersion,
    uaPlatform: "Windows",
    platformVersion: "19.0.0",
  });

const chromeAndroid = chromiumLike({
  userAgent: ANDROID,
  platform: "Linux armv81",
  brand: "Google Chrome",
  uaPlatform: "Android",
  platformVersion: "15.0.0",
  mobile: true,
  model: "Pixel 9",
});

/** Written from vendors' documentation; none of these were run. */
export const DESCRIBED = {
  chromeWindows11: chromeWindows("Google Chrome"),
  chromeAndroid,
  edgeWindows11: chromeWindows("Microsoft Edge", " Edg/142.0.0.0", "142.0.3595.53"),
  braveWindows11: withValues(chromeWindows("Brave", "", "142.0.0.0"), {
    navigator: { isBrave: true, hardwareConcurrency: 7, deviceMemory: 4 },
    canvas: { isStable: true, solidFillErrors: 3 },
  }),
  androidWebView: withStates(
    chromiumLike({
      userAgent: WEBVIEW,
      platform: "Linux armv81",
      brand: "Android WebView",
      uaPlatform: "Android",
      platformVersion: "14.0.0",
      mobile: true,
    }),
    { uaData: "absent" },
  ),
  safariMac: webkitLike(MAC_SAFARI, "MacIntel", 0),
  safariIphone: webkitLike(IPHONE_SAFARI, "iPhone", 5),
  safariIpad: webkitLike(MAC_SAFARI, "MacIntel", 5),
  torBrowser: {
    ...CAPTURED.firefoxResistFingerprinting,
    signals: {
      ...CAPTURED.firefoxResistFingerprinting.signals,
      features: { state: "ok" as const, value: "1011111111111111101110011111100000" },
    },
  },
};

/** Tools whose traces come from their documentation and source code. */
export const DESCRIBED_TOOLS = {
  selenium: withValues(CAPTURED.chromium, {
    navigator: { webdriver: true },
    automation: { globals: ["cdc_adoQpoasnfa76pfcZLmcfl_Array", "cdc_adoQpoasnfa76pfcZLmcfl_Promise"] },
  }),
  puppeteer: withValues(CAPTURED.chromiumHeadless, { navigator: { webdriver: true }, iframe: { webdriver: true } }),
};
