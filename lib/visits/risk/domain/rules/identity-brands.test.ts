import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withStates, withUserAgent, withValues } from "../../testing";
import { identityBrands } from "./identity-brands";

const { chromium } = CAPTURED;
const { chromeWindows11, edgeWindows11, braveWindows11 } = DESCRIBED;
const edge = [
  { brand: "Chromium", version: "142" },
  { brand: "Microsoft Edge", version: "142" },
];
const EDGE_TOKEN =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0";

test.each([
  ["brands that differ from the full list", withValues(chromeWindows11, { uaData: { brands: edge } })],
  [
    "brands that differ from the request",
    withValues(edgeWindows11, {}, { clientHints: { brands: '"Chromium";v="142"' } }),
  ],
  ["brands that differ from the worker's", withValues(chromeWindows11, { worker: { brands: edge } })],
  ["a worker that was left without brands", withValues(chromeWindows11, { worker: { brands: [] } })],
  ["Playwright under a replaced user agent", CAPTURED.playwrightDisguised],
  ["Chrome with the token of Edge", withUserAgent(chromeWindows11, EDGE_TOKEN)],
])("catches %s as DECEPTIVE", (_name, visit) => {
  expect(findingOf(identityBrands, visit)?.status).toBe("DECEPTIVE");
});

test.each([
  ["Chrome", chromeWindows11],
  ["Chromium", chromium],
  ["Edge", edgeWindows11],
  ["Brave, which names itself only in some places", withValues(braveWindows11, { worker: { brands: edge } })],
  ["Chrome on Android", DESCRIBED.chromeAndroid],
  ["a worker without client hints", withValues(chromium, { worker: { brands: undefined } })],
  ["a page without client hints", withStates(chromium, { uaData: "absent" })],
  ["a request without client hints", withValues(chromium, {}, { clientHints: {} })],
  [
    "an app that shows Edge's web view",
    withValues(
      chromeWindows11,
      {
        uaData: { brands: [{ brand: "Microsoft Edge WebView2", version: "142" }], fullVersionList: [] },
        worker: { brands: undefined },
      },
      { clientHints: {} },
    ),
  ],
  ["a derivative that hides behind Chrome", withUserAgent(chromeWindows11, EDGE_TOKEN.replace("Edg/", "Vivaldi/"))],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(identityBrands, visit)).toBeUndefined();
});
