import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED_TOOLS, withStates, withValues } from "../../testing";
import { identify } from "../identity";
import type { Visit } from "../visit";
import { toolGlobals } from "./tool-globals";

const check = (visit: Visit) => toolGlobals.check(visit, identify(visit), "none");
const leaving = (...globals: string[]) => withValues(CAPTURED.chromium, { automation: { globals } });

test.each([
  ["cdc_adoQpoasnfa76pfcZLmcfl_Array", "ChromeDriver"],
  ["$cdc_asdjflasutopfhvcZLmcfl_", "ChromeDriver"],
  ["xyz_adoQpoasnfa76pfcZLmcfl_Symbol", "ChromeDriver"],
  ["$chrome_asyncScriptInfo", "ChromeDriver"],
  ["__playwright__binding__", "Playwright"],
  ["__pwInitScripts", "Playwright"],
  ["__pw_manual", "Playwright"],
  ["__puppeteer_evaluation_script__", "Puppeteer"],
  ["__webdriver_script_fn", "WebDriver"],
  ["__$webdriverAsyncExecutor", "ChromeDriver"],
  ["__driver_evaluate", "WebDriver"],
  ["__selenium_unwrapped", "Selenium"],
  ["domAutomationController", "Chromium under test"],
  ["callPhantom", "PhantomJS"],
  ["__nightmare", "Nightmare"],
  ["__lastWatirAlert", "Watir"],
])("catches %s, left by %s, as DECEPTIVE", (name, tool) => {
  expect(check(leaving(name))).toMatchObject({
    status: "DECEPTIVE",
    compared: [{ label: `Left by ${tool}`, value: name, isOdd: true }, { value: "none of these" }],
  });
});

test("catches Selenium by the objects of its driver", () => {
  expect(check(DESCRIBED_TOOLS.selenium)?.status).toBe("DECEPTIVE");
});

test.each([
  ["a progressive web app's own global", leaving("__pwa_install", "__pwa")],
  ["a recording extension that a person uses", leaving("_Selenium_IDE_Recorder")],
  [
    "a site's own name that merely resembles one",
    leaving("my__playwright", "cdc_", "driver", "phantom", "app_Array", "__pwa"),
  ],
  ["a page without such names", CAPTURED.chromium],
  ["a visit whose page could not be looked at", withStates(CAPTURED.chromium, { automation: "blocked" })],
])("leaves %s alone", (_name, visit) => {
  expect(check(visit)).toBeUndefined();
});
