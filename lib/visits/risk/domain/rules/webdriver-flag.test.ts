import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, DESCRIBED_TOOLS, withValues } from "../../testing";
import { identify } from "../identity";
import type { Visit } from "../visit";
import { webdriverFlag } from "./webdriver-flag";

const check = (visit: Visit) => webdriverFlag.check(visit, identify(visit), "none");

test.each([
  ["Playwright", CAPTURED.playwright],
  ["Playwright disguised as an iPhone", CAPTURED.playwrightAsIphone],
  ["Selenium", DESCRIBED_TOOLS.selenium],
  [
    "a page that hides the flag its frame still shows",
    withValues(DESCRIBED_TOOLS.puppeteer, { navigator: { webdriver: false } }),
  ],
  ["a flag that only the worker shows", withValues(CAPTURED.chromium, { worker: { webdriver: true } })],
])("catches %s as DECEPTIVE", (_name, visit) => {
  expect(check(visit)?.status).toBe("DECEPTIVE");
});

test("shows which realm has the flag", () => {
  const visit = withValues(CAPTURED.chromium, { navigator: { webdriver: false }, iframe: { webdriver: true } });
  expect(check(visit)?.compared).toEqual([
    { label: "navigator.webdriver, page", value: "false", isOdd: false },
    { label: "navigator.webdriver, frame", value: "true", isOdd: true },
    { label: "Expected if a person uses the browser", value: "false", isOdd: false },
  ]);
});

test.each([
  ["Chromium", CAPTURED.chromium],
  ["Firefox", CAPTURED.firefox],
  [
    "a Safari that has no such property",
    withValues(DESCRIBED.safariMac, { navigator: { webdriver: undefined }, iframe: { webdriver: undefined } }),
  ],
  ["a visit without any group", { signals: {}, request: { clientHints: {} } }],
])("leaves %s alone", (_name, visit) => {
  expect(check(visit)).toBeUndefined();
});
