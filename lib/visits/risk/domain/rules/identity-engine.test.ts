import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withStates, withUserAgent, withValues } from "../../testing";
import { identityEngine } from "./identity-engine";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";

test.each([
  ["Chromium that calls itself an iPhone", CAPTURED.playwrightAsIphone],
  ["Chromium that calls itself Firefox", withUserAgent(CAPTURED.chromium, FIREFOX)],
  ["Firefox that calls itself Chrome", withUserAgent(CAPTURED.firefox, "Mozilla/5.0 Chrome/142.0.0.0 Safari/537.36")],
  [
    "an engine whose error texts were forgotten",
    withValues(DESCRIBED.safariMac, { engine: { errorText: "Cannot read properties of null (reading '0')" } }),
  ],
])("catches %s as DECEPTIVE", (_name, visit) => {
  expect(findingOf(identityEngine, visit)?.status).toBe("DECEPTIVE");
});

test.each([
  ["Chromium", CAPTURED.chromium],
  ["Firefox", CAPTURED.firefox],
  ["Firefox that resists fingerprinting", CAPTURED.firefoxResistFingerprinting],
  ["Safari on a Mac", DESCRIBED.safariMac],
  ["Safari on an iPhone", DESCRIBED.safariIphone],
  [
    "Chrome on an iPhone, which is WebKit",
    withUserAgent(
      DESCRIBED.safariIphone,
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1",
    ),
  ],
  ["an unknown engine", withValues(CAPTURED.chromium, { engine: { family: "unknown", errorText: "?" } })],
  ["an unknown user agent", withUserAgent(CAPTURED.chromium, "curl/8.5.0")],
  ["a visit whose engine could not be probed", withStates(CAPTURED.playwrightAsIphone, { engine: "error" })],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(identityEngine, visit)).toBeUndefined();
});
