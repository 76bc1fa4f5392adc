import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withValues } from "../../testing";
import { identityVendor } from "./identity-vendor";

test.each([
  ["Chromium that calls itself an iPhone", CAPTURED.playwrightAsIphone],
  ["Firefox with the constants of Chrome", withValues(CAPTURED.firefox, { navigator: { vendor: "Google Inc." } })],
  ["Chrome with the build of Firefox", withValues(CAPTURED.chromium, { navigator: { productSub: "20100101" } })],
])("catches %s as SUSPICIOUS", (_name, visit) => {
  expect(findingOf(identityVendor, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["Chromium", CAPTURED.chromium],
  ["Firefox", CAPTURED.firefox],
  ["Safari", DESCRIBED.safariMac],
  [
    "a browser that does not tell",
    withValues(CAPTURED.chromium, { navigator: { vendor: undefined, productSub: undefined } }),
  ],
  ["Opera under its old name", withValues(CAPTURED.chromium, { navigator: { vendor: "Opera Software ASA" } })],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(identityVendor, visit)).toBeUndefined();
});
