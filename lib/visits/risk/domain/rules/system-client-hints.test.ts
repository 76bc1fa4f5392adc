import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withUserAgent, withValues } from "../../testing";
import { systemClientHints } from "./system-client-hints";

const { chromeWindows11, chromeAndroid } = DESCRIBED;
const LINUX = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

test.each([
  ["a system that only the page's hints name", withValues(chromeWindows11, { uaData: { platform: "Linux" } })],
  ["a system that only the worker's hints name", withValues(chromeWindows11, { worker: { uaPlatform: "macOS" } })],
  ["a system that only the request names", withValues(chromeWindows11, {}, { clientHints: { platform: '"Linux"' } })],
  ["a user agent changed to another system", withUserAgent(chromeWindows11, LINUX)],
])("catches %s as DECEPTIVE", (_name, visit) => {
  expect(findingOf(systemClientHints, visit)?.status).toBe("DECEPTIVE");
});

test.each([
  ["Chrome on Windows", chromeWindows11],
  ["Chrome on Android", chromeAndroid],
  ["a phone in desktop-site mode", withUserAgent(chromeAndroid, LINUX)],
  [
    "hints that name nothing known",
    withValues(chromeWindows11, { uaData: { platform: "Fuchsia" }, worker: { uaPlatform: "" } }),
  ],
  ["an app's web view", withValues(DESCRIBED.androidWebView, {}, { clientHints: { platform: '"Windows"' } })],
  ["Firefox", CAPTURED.firefox],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(systemClientHints, visit)).toBeUndefined();
});
