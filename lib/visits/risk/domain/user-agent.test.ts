import fc from "fast-check";
import { expect, test } from "vitest";

import { majorOf, parseUserAgent } from "./user-agent";

const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const LINUX = "Mozilla/5.0 (X11; Linux x86_64)";
const BLINK = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  ["Chrome", `${MAC} ${BLINK} Safari/537.36`, "chrome", "142.0.0.0", "blink", "macos"],
  ["Edge", `${MAC} ${BLINK} Safari/537.36 Edg/142.0.3595.53`, "edge", "142.0.3595.53", "blink", "macos"],
  ["Opera", `${MAC} ${BLINK} Safari/537.36 OPR/124.0.0.0`, "opera", "124.0.0.0", "blink", "macos"],
  ["Vivaldi", `${MAC} ${BLINK} Safari/537.36 Vivaldi/7.6.3797.63`, "vivaldi", "7.6.3797.63", "blink", "macos"],
  [
    "Headless Chrome",
    `${LINUX} AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36`,
    "headless-chrome",
    "156.0.0.0",
    "blink",
    "linux",
  ],
  [
    "Samsung Internet",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
    "samsung-internet",
    "28.0",
    "blink",
    "android",
  ],
  [
    "Android WebView",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.7444.60 Mobile Safari/537.36",
    "android-webview",
    "142.0.7444.60",
    "blink",
    "android",
  ],
  [
    "Firefox",
    "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0",
    "firefox",
    "153.0",
    "gecko",
    "linux",
  ],
  [
    "Safari",
    `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`,
    "safari",
    "26.0",
    "webkit",
    "macos",
  ],
  [
    "WebKitGTK",
    `${LINUX} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/60.5 Safari/605.1.15`,
    "webkitgtk",
    "60.5",
    "webkit",
    "linux",
  ],
  [
    "Chrome on iOS is WebKit",
    `${IPHONE} CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1`,
    "chrome",
    "142.0.7444.77",
    "webkit",
    "ios",
  ],
  [
    "Firefox on iOS is WebKit",
    `${IPHONE} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`,
    "firefox",
    "145.0",
    "webkit",
    "ios",
  ],
  [
    "Edge on iOS is WebKit",
    `${IPHONE} Version/17.0 EdgiOS/142.0.3595.66 Mobile/15E148 Safari/605.1.15`,
    "edge",
    "142.0.3595.66",
    "webkit",
    "ios",
  ],
  ["a view inside an iOS app", `${IPHONE} Mobile/15E148`, "ios-webview", undefined, "webkit", "ios"],
  [
    "QtWebEngine",
    `${LINUX} AppleWebKit/537.36 (KHTML, like Gecko) QtWebEngine/5.15.2 Chrome/87.0.4280.144 Safari/537.36`,
    "qtwebengine",
    "5.15.2",
    "blink",
    "linux",
  ],
  [
    "Internet Explorer 11",
    "Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko",
    "internet-explorer",
    "11.0",
    "unknown",
    "windows",
  ],
  [
    "ChromeOS",
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    "chrome",
    "142.0.0.0",
    "blink",
    "chromeos",
  ],
  ["nothing known", "curl/8.5.0", "unknown", undefined, "unknown", "unknown"],
  ["an empty text", "", "unknown", undefined, "unknown", "unknown"],
])("%s is recognised by its user agent", (_name, userAgent, family, version, engine, operatingSystem) => {
  const parsed = parseUserAgent(userAgent);
  expect({ ...parsed, version: parsed.version }).toMatchObject({ family, version, engine, operatingSystem });
});

test.each([
  ["Windows NT 10.0 is Windows 10 or 11", "(Windows NT 10.0; Win64; x64)", undefined],
  ["Windows NT 6.1 is Windows 7", "(Windows NT 6.1)", "7"],
  ["a frozen Mac", "(Macintosh; Intel Mac OS X 10_15_7)", undefined],
  ["a Mac from before the freeze", "(Macintosh; Intel Mac OS X 10_13_6)", "10.13.6"],
  ["a reduced Android", "(Linux; Android 10; K)", undefined],
  ["an Android with a version", "(Android 14; Mobile; rv:145.0)", "14"],
  ["an iPhone with a version", "(iPhone; CPU iPhone OS 17_5_1 like Mac OS X)", "17.5.1"],
  [
    "a frozen iPhone with Safari's version",
    "(iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/26.1 Safari/604.1",
    "26.1",
  ],
  ["a frozen iPhone without it", "(iPhone; CPU iPhone OS 18_7 like Mac OS X) CriOS/142.0", undefined],
])("%s: the version is reported or left out, never guessed", (_name, userAgent, version) => {
  expect(parseUserAgent(`Mozilla/5.0 ${userAgent}`).operatingSystemVersion).toBe(version);
});

test("a token inside another word identifies no browser", () => {
  expect(parseUserAgent("Mozilla/5.0 NotFirefox/99.0").family).toBe("unknown");
});

test("the parser never throws", () => {
  const pieces = fc.constantFrom(
    "Mozilla/5.0",
    "(",
    ";",
    "Chrome/",
    "Firefox/1",
    "rv:",
    "Trident/",
    "9".repeat(400),
    "\u0000",
    "\ud800",
    "OS 1_1 like Mac",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(pieces).map((all) => all.join("")),
      ),
      (userAgent) => {
        const { version } = parseUserAgent(userAgent);
        expect(version === undefined || /^\d/.test(version)).toBe(true);
      },
    ),
  );
});

test("a version without digits has no major number", () => {
  expect([majorOf("142.0"), majorOf("v1"), majorOf(""), majorOf(undefined)]).toEqual([
    142,
    undefined,
    undefined,
    undefined,
  ]);
});
