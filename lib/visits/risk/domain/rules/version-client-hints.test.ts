import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withUserAgent, withValues } from "../../testing";
import { versionClientHints } from "./version-client-hints";

const CHROME_120 =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36";
const { chromium } = CAPTURED;
const brands = [{ brand: "Chromium", version: "120" }];

test.each([
  ["Playwright under a replaced user agent", CAPTURED.playwrightDisguised],
  ["an older Chrome in every user agent", withUserAgent(chromium, CHROME_120)],
  ["another version in the page's brands", withValues(chromium, { uaData: { brands } })],
  ["another version in the worker's brands", withValues(chromium, { worker: { brands } })],
  ["another version in the header", withValues(chromium, {}, { clientHints: { brands: '"Chromium";v="120"' } })],
])("catches %s as DECEPTIVE", (_name, visit) => {
  expect(findingOf(versionClientHints, visit)?.status).toBe("DECEPTIVE");
});

test("marks the values that do not fit", () => {
  const finding = findingOf(versionClientHints, withValues(chromium, { worker: { brands } }));
  expect(finding?.compared.filter(({ isOdd }) => isOdd)).toEqual([
    { label: "Client hints in a worker", value: "Chromium 120", isOdd: true },
  ]);
});

test.each([
  ["Chromium", chromium],
  ["Edge, whose own version differs from Chromium's", DESCRIBED.edgeWindows11],
  ["Brave", DESCRIBED.braveWindows11],
  ["Chrome on Android", DESCRIBED.chromeAndroid],
  ["an app's web view", DESCRIBED.androidWebView],
  ["Firefox", CAPTURED.firefox],
  [
    "a derivative that numbers itself in its own way",
    withValues(DESCRIBED.chromeWindows11, {
      uaData: {
        brands: [
          { brand: "Chromium", version: "142" },
          { brand: "Opera", version: "8" },
        ],
        fullVersionList: [],
      },
    }),
  ],
  ["brands without versions", withValues(chromium, { uaData: { brands: [{ brand: "Chromium" }] } })],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(versionClientHints, visit)).toBeUndefined();
});
