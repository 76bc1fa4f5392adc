import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withValues } from "../../testing";
import { versionRealms } from "./version-realms";

const chrome = (major: number) =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
const { chromium, firefox, firefoxResistFingerprinting } = CAPTURED;
const OTHER_FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

test.each([
  ["a worker of another version", withValues(chromium, { worker: { userAgent: chrome(155) } })],
  ["a frame of another version", withValues(chromium, { iframe: { userAgent: chrome(120) } })],
  ["a request of another version", withValues(chromium, {}, { userAgent: chrome(157) })],
  ["a Firefox whose request is older", withValues(firefox, {}, { userAgent: OTHER_FIREFOX })],
])("catches %s as DECEPTIVE", (_name, visit) => {
  expect(findingOf(versionRealms, visit)?.status).toBe("DECEPTIVE");
});

test.each([
  ["Chromium", chromium],
  ["Firefox", firefox],
  ["Firefox that resists fingerprinting", withValues(firefoxResistFingerprinting, {}, { userAgent: OTHER_FIREFOX })],
  ["a CDN that fetches under its own name", withValues(chromium, {}, { userAgent: "Amazon CloudFront" })],
  ["a request without a user agent", withValues(chromium, {}, { userAgent: undefined })],
  ["a worker that could not run", withValues(chromium, { worker: { userAgent: undefined } })],
  ["Safari on an iPad", DESCRIBED.safariIpad],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(versionRealms, visit)).toBeUndefined();
});
