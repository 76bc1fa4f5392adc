import { expect, test } from "vitest";

import { MEDIA_QUERIES } from "@/lib/contract/signal-lists";

import { CAPTURED, DESCRIBED, findingOf, withUserAgent, withValues } from "../../testing";
import { environmentTouch } from "./environment-touch";

const { chromeAndroid, safariIphone, safariIpad, safariMac } = DESCRIBED;
const mouseOnly = MEDIA_QUERIES.map((query) => (query.endsWith("pointer:fine") ? "1" : "0")).join("");
const finger = MEDIA_QUERIES.map((query) => (query.endsWith("pointer:coarse") ? "1" : "0")).join("");
const ON_MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
const TELEVISION =
  "Mozilla/5.0 (Linux; Android 12; BRAVIA) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const touched = (visit: typeof chromeAndroid, maxTouchPoints: number, media: string) =>
  withValues(visit, { navigator: { maxTouchPoints }, screen: { media } });

test.each([
  ["a phone with nothing but a mouse", touched(chromeAndroid, 0, mouseOnly)],
  ["an iPhone with nothing but a mouse", touched(safariIphone, 0, mouseOnly)],
  ["Chrome on a Mac that is touched", touched(withUserAgent(CAPTURED.chromium, ON_MAC), 5, mouseOnly)],
])("catches %s as SUSPICIOUS", (_name, visit) => {
  expect(findingOf(environmentTouch, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["a phone", touched(chromeAndroid, 5, finger)],
  ["a phone that hides its touch points", touched(chromeAndroid, 0, finger)],
  ["a television", touched(withUserAgent(chromeAndroid, TELEVISION), 0, mouseOnly)],
  ["an iPad in desktop mode", safariIpad],
  ["a Mac", safariMac],
  ["Chrome on a Mac", touched(withUserAgent(CAPTURED.chromium, ON_MAC), 0, mouseOnly)],
  ["a laptop with a touch screen", touched(CAPTURED.chromium, 10, finger)],
  ["a visit without any group", { signals: {}, request: { clientHints: {} } }],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(environmentTouch, visit)).toBeUndefined();
});
