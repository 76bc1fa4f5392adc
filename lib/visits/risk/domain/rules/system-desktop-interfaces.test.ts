import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withBits, withUserAgent } from "../../testing";
import { groupValue, type Visit } from "../visit";
import { systemDesktopInterfaces } from "./system-desktop-interfaces";

const { chromium, firefox } = CAPTURED;
const { chromeAndroid, androidWebView, safariIphone } = DESCRIBED;
const phone = (major: number) =>
  `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Mobile Safari/537.36`;
const TABLET =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
const FIREFOX_PHONE = "Mozilla/5.0 (Android 15; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0";

/** The visit with or without `documentPictureInPicture`, the nineteenth feature. */
const pictureInPicture = (visit: Visit, digit: "0" | "1"): Visit => {
  const bits = groupValue(visit.signals, "features") ?? "";
  return withBits(visit, "features", `${bits.slice(0, 18)}${digit}${bits.slice(19)}`);
};

test("catches Chromium on a computer that claims to be a phone as SUSPICIOUS", () => {
  expect(findingOf(systemDesktopInterfaces, withUserAgent(chromium, phone(156)))?.status).toBe("SUSPICIOUS");
});

test.each([
  ["Chrome on a phone", chromeAndroid],
  ["a web view on a phone", androidWebView],
  ["one experiment that was switched on", pictureInPicture(chromeAndroid, "1")],
  ["a release that is newer than the table", withUserAgent(chromium, phone(999))],
  ["a tablet, which may be a computer's system", withUserAgent(chromium, TABLET)],
  ["an iPhone", safariIphone],
  ["Chromium on a computer that says so", chromium],
  ["Firefox on a phone", withUserAgent(firefox, FIREFOX_PHONE)],
  ["a visit without any group", { signals: {}, request: { clientHints: {} } }],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(systemDesktopInterfaces, visit)).toBeUndefined();
});
