import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withUserAgent, withValues } from "../../testing";
import type { Visit } from "../visit";
import { systemPlatform } from "./system-platform";

const on = (visit: Visit, platform: string) =>
  withValues(visit, { navigator: { platform }, worker: { platform }, iframe: { platform } });
const { chromeWindows11, chromeAndroid, safariMac, safariIphone, safariIpad } = DESCRIBED;
const { chromium, firefox } = CAPTURED;
const system = (name: string) =>
  withUserAgent(firefox, `Mozilla/5.0 (X11; ${name}; rv:153.0) Gecko/20100101 Firefox/153.0`);
const FIREFOX_ANDROID = "Mozilla/5.0 (Android 14; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0";

test.each([
  ["Windows on a Linux platform", CAPTURED.playwrightDisguised, "DECEPTIVE"],
  ["an iPhone on a Linux platform", CAPTURED.playwrightAsIphone, "DECEPTIVE"],
  ["a Mac on Windows", on(safariMac, "Win32"), "DECEPTIVE"],
  ["Chrome on Android that runs on Windows", on(chromeAndroid, "Win32"), "DECEPTIVE"],
  ["Chrome on Android that runs on a desktop's Linux", on(chromeAndroid, "Linux x86_64"), "DECEPTIVE"],
  [
    "a worker that forgot the disguise",
    withValues(chromeWindows11, { worker: { platform: "Linux x86_64" } }),
    "DECEPTIVE",
  ],
  ["Firefox on Android with an Intel chip", on(withUserAgent(firefox, FIREFOX_ANDROID), "Linux x86_64"), "SUSPICIOUS"],
  ["an app's web view on an Intel chip", on(DESCRIBED.androidWebView, "Linux i686"), "SUSPICIOUS"],
])("catches %s as %s", (_name, visit, status) => {
  expect(findingOf(systemPlatform, visit)?.status).toBe(status);
});

test.each([
  ["Chrome on Windows", chromeWindows11],
  ["Chromium on Linux", chromium],
  ["Chrome on Android", chromeAndroid],
  ["a phone in desktop-site mode", on(chromium, "Linux armv81")],
  ["an iPhone", safariIphone],
  ["an iPad in desktop mode", safariIpad],
  ["an iPhone in desktop-site mode", on(safariMac, "iPhone")],
  ["an app for the iPad on a Mac", on(safariIphone, "MacIntel")],
  ["FreeBSD", on(system("FreeBSD amd64"), "FreeBSD amd64")],
  ["ChromeOS", on(system("CrOS x86_64 14541.0.0"), "Linux x86_64")],
  ["a browser that does not tell its platform", on(chromeWindows11, "")],
  ["an unknown system", withUserAgent(chromium, "Mozilla/5.0 (PlayStation 5/9.0) AppleWebKit/605.1.15")],
  ["a visit without any group", { signals: {}, request: { clientHints: {} } }],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(systemPlatform, visit)).toBeUndefined();
});
