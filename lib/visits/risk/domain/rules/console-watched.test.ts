import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, withValues } from "../../testing";
import { identify } from "../identity";
import type { PrivacyProfile } from "../profile";
import type { Visit } from "../visit";
import { consoleWatched } from "./console-watched";

const check = (visit: Visit, profile: PrivacyProfile = "none") => consoleWatched.check(visit, identify(visit), profile);
const isConsoleWatched = true;
const watched = withValues(CAPTURED.chromium, { automation: { isConsoleWatched } });

test.each([
  ["an emulated viewport without a window around it", CAPTURED.playwrightDisguised],
  ["an emulated viewport smaller than its window", CAPTURED.playwrightHeadfulEmulated],
  ["a window wider than its screen", withValues(watched, { screen: { width: 1000, outerWidth: 1041 } })],
  ["a window higher than its screen", withValues(watched, { screen: { height: 700, outerHeight: 741 } })],
  ["a worker with other cores", withValues(watched, { worker: { hardwareConcurrency: 8 } })],
  ["a frame with other languages", withValues(watched, { iframe: { languages: ["de-DE"] } })],
  [
    "a replaced built-in member",
    withValues(watched, { automation: { isConsoleWatched, tampered: ["Navigator.webdriver"] } }),
  ],
  [
    "a property put on the navigator itself",
    withValues(watched, { automation: { isConsoleWatched, navigatorProperties: ["webdriver"] } }),
  ],
])("catches a watched console together with %s as SUSPICIOUS", (_name, visit) => {
  expect(check(visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["a person with docked developer tools", CAPTURED.chromiumDeveloperTools],
  ["a person with developer tools in their own window", watched],
  [
    "a phone that is debugged from a desk",
    withValues(DESCRIBED.chromeAndroid, {
      automation: { isConsoleWatched },
      screen: { outerWidth: 412, outerHeight: 915, innerWidth: 412, innerHeight: 915 },
    }),
  ],
  [
    "an emulated viewport without a watched console",
    withValues(CAPTURED.playwrightDisguised, { automation: { isConsoleWatched: false } }),
  ],
  [
    "a page whose monitoring reads logged errors and replaces what it watches",
    withValues(watched, {
      automation: { isConsoleWatched, tampered: ["Function.toString"], navigatorProperties: ["sendBeacon"] },
    }),
  ],
  [
    "the noise of a privacy extension on such a page",
    withValues(watched, {
      automation: { isConsoleWatched, tampered: ["HTMLCanvasElement.toDataURL", "WebGLRenderingContext.getParameter"] },
    }),
  ],
  [
    "a hidden page whose window has no size",
    withValues(watched, { screen: { outerWidth: 0, outerHeight: 0, innerWidth: 0, innerHeight: 0 } }),
  ],
])("leaves %s alone", (_name, visit) => {
  expect(check(visit)).toBeUndefined();
});

test("leaves Brave's randomized cores alone", () => {
  const visit = withValues(DESCRIBED.braveWindows11, { automation: { isConsoleWatched } });
  expect(check(visit, "none")?.status).toBe("SUSPICIOUS");
  expect(check(visit, "brave")).toBeUndefined();
});
