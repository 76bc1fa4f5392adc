import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withValues } from "../../testing";
import { systemRealms } from "./system-realms";

const { chromium, firefox, firefoxResistFingerprinting } = CAPTURED;
const WINDOWS =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36";
const WINDOWS_FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0";

test.each([
  ["a worker on another platform", withValues(chromium, { worker: { platform: "Win32" } })],
  ["a frame on another platform", withValues(chromium, { iframe: { platform: "MacIntel" } })],
  ["a worker whose user agent names another system", withValues(chromium, { worker: { userAgent: WINDOWS } })],
  ["a request that names another system", withValues(chromium, {}, { userAgent: WINDOWS })],
  ["a computer without a touch screen whose request names a phone", withValues(chromium, {}, { userAgent: ANDROID })],
  ["a Firefox whose request names another system", withValues(firefox, {}, { userAgent: WINDOWS_FIREFOX })],
])("catches %s as DECEPTIVE", (_name, visit) => {
  expect(findingOf(systemRealms, visit)?.status).toBe("DECEPTIVE");
});

test.each([
  ["Chromium", chromium],
  ["Firefox", firefox],
  ["Firefox that resists fingerprinting", withValues(firefoxResistFingerprinting, {}, { userAgent: WINDOWS_FIREFOX })],
  [
    "a phone in desktop mode whose request does not claim to be a computer",
    withValues(chromium, { navigator: { maxTouchPoints: 5 } }, { userAgent: ANDROID }),
  ],
  ["an iPad in desktop mode", DESCRIBED.safariIpad],
  ["a worker that could not run", withValues(chromium, { worker: { platform: undefined, userAgent: undefined } })],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(systemRealms, visit)).toBeUndefined();
});
