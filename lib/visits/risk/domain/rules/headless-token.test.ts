import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, withValues } from "../../testing";
import { identify } from "../identity";
import type { Visit } from "../visit";
import { headlessToken } from "./headless-token";

const check = (visit: Visit) => headlessToken.check(visit, identify(visit), "none");
const { chromium } = CAPTURED;
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36";
const brands = [{ brand: "HeadlessChrome", version: "156" }];

test.each([
  ["Chromium without a window", CAPTURED.chromiumHeadless],
  ["the token in the worker alone", withValues(chromium, { worker: { userAgent } })],
  ["the token in the frame alone", withValues(chromium, { iframe: { userAgent } })],
  ["the token in the User-Agent header alone", withValues(chromium, {}, { userAgent })],
  ["the token in client hints", withValues(chromium, { uaData: { brands } })],
  ["the token in the full version list", withValues(chromium, { uaData: { fullVersionList: brands } })],
  ["the token in the worker's client hints", withValues(chromium, { worker: { brands } })],
  [
    "the token in the Sec-CH-UA header",
    withValues(chromium, {}, { clientHints: { brands: '"HeadlessChrome";v="156"' } }),
  ],
  ["the token behind the length that is sent", withValues(chromium, { automation: { hasHeadlessToken: true } })],
])("catches %s as DECEPTIVE, and marks only the odd values", (_name, visit) => {
  const finding = check(visit);
  expect(finding?.status).toBe("DECEPTIVE");
  for (const { label, value, isOdd } of finding?.compared ?? []) {
    expect(isOdd).toBe(/headless/i.test(value) || label.startsWith("Headless"));
  }
});

test.each([
  ["Chromium with a window", chromium],
  ["Firefox", CAPTURED.firefox],
  ["Chrome on Android", DESCRIBED.chromeAndroid],
  ["Edge on Windows", DESCRIBED.edgeWindows11],
])("leaves %s alone", (_name, visit) => {
  expect(check(visit)).toBeUndefined();
});
