import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withValues } from "../../testing";
import { identityRealms } from "./identity-realms";

const HEADLESS =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";
const { chromium } = CAPTURED;

test.each([
  ["a worker without a window", withValues(chromium, { worker: { userAgent: HEADLESS } })],
  ["a frame of another engine", withValues(chromium, { iframe: { userAgent: FIREFOX } })],
  ["a page that renames itself while its request does not", withValues(chromium, {}, { userAgent: FIREFOX })],
])("catches %s as DECEPTIVE", (_name, visit) => {
  expect(findingOf(identityRealms, visit)?.status).toBe("DECEPTIVE");
});

test.each([
  ["Chromium", chromium],
  ["Firefox", CAPTURED.firefox],
  ["Brave", DESCRIBED.braveWindows11],
  ["a request of a program on the way", withValues(chromium, {}, { userAgent: "Amazon CloudFront" })],
  ["Tor Browser, whose request names another system", withValues(DESCRIBED.torBrowser, {}, { userAgent: FIREFOX })],
  ["a visit without any group", { signals: {}, request: { userAgent: FIREFOX, clientHints: {} } }],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(identityRealms, visit)).toBeUndefined();
});
