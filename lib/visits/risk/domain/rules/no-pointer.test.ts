import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withUserAgent, withValues } from "../../testing";
import type { Visit } from "../visit";
import { noPointer } from "./no-pointer";

const withoutPointer = (visit: Visit) => withValues(visit, { screen: { media: "0".repeat(15) } });
const linux = (platform: string, detail: string) =>
  withValues(
    withUserAgent(
      withoutPointer(CAPTURED.chromium),
      `Mozilla/5.0 (${detail}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36`,
    ),
    { navigator: { platform } },
  );

test.each([
  ["Firefox without a window", CAPTURED.firefoxHeadless],
  ["Chromium without a window", CAPTURED.chromiumHeadless],
  ["the same as ChromeOS", CAPTURED.chromiumAsChromeOsHeadless],
  ["Windows without mouse and touch", withoutPointer(DESCRIBED.chromeWindows11)],
])("catches %s, as SUSPICIOUS", (_name, visit) => {
  expect(findingOf(noPointer, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["Chromium in a window", CAPTURED.chromium],
  ["Firefox in a window", CAPTURED.firefox],
  ["QtWebEngine, which knows of hovering only", CAPTURED.qutebrowser],
  ["a phone", withoutPointer(DESCRIBED.chromeAndroid)],
  ["a touch screen", withValues(withoutPointer(DESCRIBED.chromeWindows11), { navigator: { maxTouchPoints: 10 } })],
  ["Safari", withoutPointer(DESCRIBED.safariMac)],
  ["Firefox that resists fingerprinting", withoutPointer(CAPTURED.firefoxResistFingerprinting)],
  ["a television", linux("Linux x86_64", "Web0S; Linux/SmartTV")],
  ["a console", linux("Win32", "Windows NT 10.0; Win64; x64; Xbox; Xbox One")],
  ["a display that a small board drives", linux("Linux armv7l", "X11; Linux armv7l")],
  ["a list shorter than this one", withValues(CAPTURED.chromium, { screen: { media: "0000" } })],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(noPointer, visit)).toBeUndefined();
});
