import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withUserAgent, withValues } from "../../testing";
import { systemFormFactor } from "./system-form-factor";

const { chromium } = CAPTURED;
const { chromeAndroid, chromeWindows11 } = DESCRIBED;
const android = chromeAndroid.request.userAgent ?? "";

test.each([
  ["Linux that is mobile", withValues(chromium, { uaData: { mobile: true } })],
  ["Windows that is mobile", withValues(chromeWindows11, { uaData: { mobile: true } })],
  ["a computer with the model of a phone", withValues(chromium, { uaData: { model: "Pixel 9" } })],
  ["a phone that is not mobile", withValues(chromeAndroid, { uaData: { mobile: false } })],
  ["a tablet that is mobile", withUserAgent(chromeAndroid, android.replace(" Mobile", ""))],
])("%s is SUSPICIOUS", (_name, visit) => {
  expect(findingOf(systemFormFactor, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ...Object.entries(DESCRIBED),
  ["chromium", chromium] as const,
  [
    "a tablet",
    withValues(withUserAgent(chromeAndroid, android.replace(" Mobile", "")), { uaData: { mobile: false } }),
  ] as const,
  [
    "a phone that asks for the desktop site",
    withValues(chromium, { navigator: { maxTouchPoints: 5 }, uaData: { platform: "Linux", model: "SM-S931B" } }),
  ] as const,
  [
    "another vendor's phone",
    withValues(chromeAndroid, { uaData: { mobile: false, brands: [{ brand: "Samsung Internet", version: "29" }] } }),
  ] as const,
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(systemFormFactor, visit)).toBeUndefined();
});
