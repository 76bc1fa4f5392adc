import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withValues } from "../../testing";
import { versionBrandList } from "./version-brand-list";

const list = (...brands: string[]) =>
  brands.map((one) => {
    const [, brand = "", version = ""] = /^(.*) (\S+)$/.exec(one) ?? [];
    return { brand, version };
  });
const named = (...brands: string[]) =>
  withValues(
    CAPTURED.chromium,
    { uaData: { brands: list(...brands), fullVersionList: undefined }, worker: { brands: list(...brands) } },
    { clientHints: {} },
  );

test.each([
  ["another release's made-up brand", named("Chromium 150", "Google Chrome 150", "Not:A-Brand 8")],
  ["another release's version of it", named("Chromium 136", "Google Chrome 136", "Not.A/Brand 8")],
  ["no made-up brand at all", named("Chromium 142", "Google Chrome 142")],
  [
    "two lists of which one was made by hand",
    withValues(CAPTURED.chromium, { worker: { brands: list("Chromium 156") } }),
  ],
])("catches %s, as SUSPICIOUS", (_name, visit) => {
  expect(findingOf(versionBrandList, visit)?.status).toBe("SUSPICIOUS");
});

test("shows the brand that the release adds", () => {
  const finding = findingOf(versionBrandList, named("Chromium 142", "Google Chrome 142"));
  expect(finding?.compared.at(-1)?.value).toBe("Not_A Brand 99");
});

test.each([
  ["Chromium 156", CAPTURED.chromium],
  ["Chromium 156 without a window", CAPTURED.chromiumHeadless],
  ["Chrome 142", DESCRIBED.chromeWindows11],
  ["Edge 142", DESCRIBED.edgeWindows11],
  ["Brave", DESCRIBED.braveWindows11],
  ["a release that has not been measured yet", named("Chromium 190", "Google Chrome 190")],
  ["a release from before the present form", named("Chromium 100", "Google Chrome 100")],
  ["a list without the brand of Chromium", named("Opera 120")],
  ["an app's web view", DESCRIBED.androidWebView],
  [
    "Firefox, whose request has a list that an extension added",
    withValues(CAPTURED.firefox, {}, { clientHints: { brands: '"Chromium";v="142"' } }),
  ],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(versionBrandList, visit)).toBeUndefined();
});
