import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withUserAgent, withValues } from "../../testing";
import { identityUnnamed } from "./identity-unnamed";

test.each(["", "Mozilla/5.0", "Mozilla", "a", "Something/1.0"])(
  "a browser that calls itself %j is SUSPICIOUS",
  (name) => {
    expect(findingOf(identityUnnamed, withUserAgent(CAPTURED.chromium, name))?.status).toBe("SUSPICIOUS");
  },
);

test.each([
  ["a browser", CAPTURED.chromium],
  ["a program's name, which is another finding", withUserAgent(CAPTURED.chromium, "curl/8.5.0")],
  ["an app that names its device", withUserAgent(DESCRIBED.androidWebView, "Shop/5.1 (Android 14; Pixel 8)")],
  ["an app on an iPhone", withUserAgent(DESCRIBED.safariIphone, "Shop/5.1 (iPhone; iOS 18.1)")],
  [
    "an engine that is not known",
    withValues(withUserAgent(CAPTURED.chromium, "Mozilla/5.0"), { engine: { family: "unknown" } }),
  ],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(identityUnnamed, visit)).toBeUndefined();
});
