import fc from "fast-check";
import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, withStates, withValues } from "../testing";
import { BROWSER_FAMILIES, OPERATING_SYSTEM_FAMILIES } from "./families";
import { identify } from "./identity";
import { anyVisit } from "./testing";

test.each([
  ["Chrome on Windows 11", DESCRIBED.chromeWindows11, ["Chrome", "142.0.7444.60"], ["Windows", "11"]],
  ["Edge", DESCRIBED.edgeWindows11, ["Edge", "142.0.3595.53"], ["Windows", "11"]],
  ["Brave", DESCRIBED.braveWindows11, ["Brave", "142"], ["Windows", "11"]],
  ["Chrome on Android", DESCRIBED.chromeAndroid, ["Chrome", "142.0.7444.60"], ["Android", "15"]],
  ["Android WebView", DESCRIBED.androidWebView, ["Android WebView", "142"], ["Android", "14"]],
  ["Safari on a Mac", DESCRIBED.safariMac, ["Safari", "26.0"], ["macOS", undefined]],
  ["Safari on an iPhone", DESCRIBED.safariIphone, ["Safari", "26.0"], ["iOS", "26.0"]],
  ["an iPad in desktop mode", DESCRIBED.safariIpad, ["Safari", "26.0"], ["iPadOS", undefined]],
  ["Firefox", CAPTURED.firefox, ["Firefox", "153.0"], ["Linux", undefined]],
  ["Chromium", CAPTURED.chromium, ["Chromium", "156.0.8078.79"], ["Linux", undefined]],
  ["Epiphany", CAPTURED.epiphany, ["WebKitGTK", "60.5"], ["Linux", undefined]],
  ["qutebrowser", CAPTURED.qutebrowser, ["QtWebEngine", "5.15.8"], ["Linux", undefined]],
  ["Chromium without a window", CAPTURED.chromiumHeadless, ["Headless Chrome", "156"], ["Linux", undefined]],
])("%s is named with the versions that it reports", (_name, visit, browser, system) => {
  const identity = identify(visit);
  expect([identity.browser.name, identity.browser.version]).toEqual(browser);
  expect([identity.operatingSystem.name, identity.operatingSystem.version]).toEqual(system);
});

test("client hints take precedence over a user agent that claims another engine", () => {
  expect(identify(CAPTURED.playwrightAsIphone).browser).toMatchObject({ name: "Chromium", version: "156.0.8078.79" });
});

test("client hints of the request are used if the page has none", () => {
  const visit = withStates(DESCRIBED.edgeWindows11, { uaData: "absent", worker: "absent" });
  expect(identify(visit)).toMatchObject({
    browser: { name: "Edge", version: "142" },
    operatingSystem: { name: "Windows" },
  });
  expect(identify(visit).operatingSystem).not.toHaveProperty("version");
});

test("a derivative behind Chrome's brand is named by its own token", () => {
  const userAgent =
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Vivaldi/7.6.1";
  const visit = withValues(DESCRIBED.chromeWindows11, { navigator: { userAgent } });
  expect(identify(visit).browser).toMatchObject({ family: "vivaldi", version: "7.6.1", chromiumMajorVersion: 142 });
});

test("unknown browsers and systems have no name and no version", () => {
  expect(identify({ signals: {}, request: { clientHints: {} } })).toEqual({
    browser: { family: "unknown", engine: "unknown" },
    operatingSystem: { family: "unknown" },
  });
});

test("any visit has a known family, and an unknown one never has a name", () => {
  fc.assert(
    fc.property(anyVisit, (visit) => {
      const { browser, operatingSystem } = identify(visit);
      expect(BROWSER_FAMILIES).toContain(browser.family);
      expect(OPERATING_SYSTEM_FAMILIES).toContain(operatingSystem.family);
      expect("name" in browser).toBe(browser.family !== "unknown");
      expect("name" in operatingSystem).toBe(operatingSystem.family !== "unknown");
    }),
  );
});
