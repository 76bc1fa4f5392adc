import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withValues } from "../../testing";
import { webdriverRemoved } from "./webdriver-removed";

const webdriver = undefined;

test("catches a Chromium without the property as SUSPICIOUS", () => {
  const visit = withValues(CAPTURED.chromium, { navigator: { webdriver } });
  expect(findingOf(webdriverRemoved, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["Chromium", CAPTURED.chromium],
  ["Firefox without it", withValues(CAPTURED.firefox, { navigator: { webdriver } })],
  ["Safari without it", withValues(DESCRIBED.safariMac, { navigator: { webdriver } })],
  ["an app's web view without it", withValues(DESCRIBED.androidWebView, { navigator: { webdriver } })],
  ["a visit without any group", { signals: {}, request: { clientHints: {} } }],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(webdriverRemoved, visit)).toBeUndefined();
});
