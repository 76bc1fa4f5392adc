import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withStates, withValues } from "../../testing";
import { identityVersionList } from "./identity-version-list";

const without = (visit: typeof CAPTURED.chromium) => withValues(visit, { uaData: { fullVersionList: [] } });

test("catches a Chromium that reports brands without full versions", () => {
  expect(findingOf(identityVersionList, without(CAPTURED.chromium))?.status).toBe("SUSPICIOUS");
  expect(findingOf(identityVersionList, CAPTURED.chromiumAsChromeOsHeadless)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["Chromium", CAPTURED.chromium],
  ["a Chromium from before the list", withValues(CAPTURED.chromium, { uaData: { fullVersionList: undefined } })],
  ["a Chromium whose hints were blocked", withStates(CAPTURED.chromium, { uaData: "blocked" })],
  ["Brave", without(DESCRIBED.braveWindows11)],
  ["an app's web view", without(DESCRIBED.androidWebView)],
  ["Firefox", CAPTURED.firefox],
  ["Safari", DESCRIBED.safariMac],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(identityVersionList, visit)).toBeUndefined();
});
