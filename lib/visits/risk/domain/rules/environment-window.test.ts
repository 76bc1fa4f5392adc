import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withValues } from "../../testing";
import { environmentWindow } from "./environment-window";

const { chromium } = CAPTURED;

test.each([
  ["a window around a smaller emulated screen", CAPTURED.playwrightHeadfulEmulated],
  ["a window wider than its screen", withValues(chromium, { screen: { outerWidth: 1407 } })],
  ["a window higher than its screen", withValues(chromium, { screen: { outerHeight: 809 } })],
  [
    "a window wider than its screen whose page is not",
    withValues(chromium, { screen: { outerWidth: 1900, innerWidth: 1280 } }),
  ],
])("catches %s as SUSPICIOUS", (_name, visit) => {
  expect(findingOf(environmentWindow, visit)?.status).toBe("SUSPICIOUS");
});

const causesOf = (screen: Record<string, number>) =>
  findingOf(environmentWindow, withValues(chromium, { screen }))?.harmlessCauses.join();

test("mentions two screens only if a window with borders could span two screens side by side", () => {
  expect(causesOf({ outerWidth: 2400 })).toMatch(/two screens/);
  expect(causesOf({ width: 800, height: 600, outerWidth: 1920, outerHeight: 1080 })).not.toMatch(/two screens/);
  expect(causesOf({ outerWidth: 2400, outerHeight: 700, innerWidth: 2400, innerHeight: 700 })).not.toMatch(
    /two screens/,
  );
});

test.each([
  ["a window on its screen", chromium],
  [
    "a maximised window with invisible borders",
    withValues(chromium, { screen: { outerWidth: 1382, outerHeight: 784 } }),
  ],
  [
    "a small screen that shows everything at three times its size, as people with weak eyes set it",
    withValues(chromium, { screen: { width: 455, height: 256, outerWidth: 500, outerHeight: 236 } }),
  ],
  [
    "a window that stretches over two screens side by side",
    withValues(chromium, { screen: { outerWidth: 2700, innerWidth: 2700, outerHeight: 740, innerHeight: 600 } }),
  ],
  ["a page in full screen", withValues(chromium, { screen: { outerWidth: 1366, outerHeight: 768 } })],
  ["a hidden page whose window has no size", withValues(chromium, { screen: { outerWidth: 0, outerHeight: 0 } })],
  ["a screen that does not tell its size", withValues(chromium, { screen: { width: 0, height: 0 } })],
  [
    "a phone, whose window is what it shows",
    withValues(DESCRIBED.chromeAndroid, { screen: { width: 412, outerWidth: 980 } }),
  ],
  ["Firefox that resists fingerprinting", CAPTURED.firefoxResistFingerprinting],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(environmentWindow, visit)).toBeUndefined();
});
