import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { launchChromium, openSignal } from "@/test/browser";

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser.close());

test("a driven but unchanged browser: the console is watched, nothing is replaced or left behind", async () => {
  const { page, read } = await openSignal(browser, "automation", "readAutomation");

  expect(await read()).toMatchObject({ globals: [], attributes: [], tampered: [], navigatorProperties: [] });
  expect(await page.evaluate("'prepareStackTrace' in Error && Error.prepareStackTrace !== undefined")).toBe(false);
});

test.each([
  ["Chromium logs one error, below the level that its console shows", "", ["debug"]],
  ["another engine logs nothing", "eval.toString = () => '.'.repeat(37)", []],
])("whether the console is watched: %s", async (_what, before, logged) => {
  const { page, read } = await openSignal(browser, "automation", "readAutomation", before);
  const types: string[] = [];
  page.on("console", (message) => types.push(message.type()));

  expect(await read()).toMatchObject({ isConsoleWatched: logged.length > 0 });
  expect(types).toEqual(logged);
});

test("nobody can tell whether the console is watched where the page has one of its own, which reads what it is given", async () => {
  const { read } = await openSignal(
    browser,
    "automation",
    "readAutomation",
    "console.debug = (...given) => { for (const error of given) error.stack; };",
  );

  expect(await read()).toMatchObject({ isConsoleWatched: undefined, tampered: [] });
});

test.each([
  "cdc_adoQpoasnfa76pfcZLmcfl_Array",
  "$cdc_asdjflasutopfhvcZLmcfl_",
  "xqw_kfJdOwpanEyT41vcCbnRgU_Promise",
  "__playwright__binding__",
  "__pwInitScripts",
  "__webdriver_script_fn",
  "__driver_evaluate",
  "__selenium_unwrapped",
  "_phantom",
  "callPhantom",
  "domAutomationController",
])("the trace %s is found", async (name) => {
  const { read } = await openSignal(browser, "automation", "readAutomation", `window[${JSON.stringify(name)}] = 1`);

  expect(await read()).toMatchObject({ globals: [name] });
});

test("names of ordinary sites are not traces", async () => {
  const { read } = await openSignal(
    browser,
    "automation",
    "readAutomation",
    "for (const name of ['__pwa', '__pwaInstall', 'driver', 'cdc', 'phantomWallet', 'callback', 'app_settings_of_this_page_']) window[name] = 1",
  );

  expect(await read()).toMatchObject({ globals: [] });
});

test("an attribute that a driver sets on the root element is found", async () => {
  const { read } = await openSignal(
    browser,
    "automation",
    "readAutomation",
    "document.documentElement.setAttribute('webdriver', 'true')",
  );

  expect(await read()).toMatchObject({ attributes: ["webdriver"] });
});

test.each([
  ["Navigator.webdriver", "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })"],
  ["Navigator.platform", "Object.defineProperty(Navigator.prototype, 'platform', { get: new Proxy(() => 'x', {}) })"],
  ["Date.getTimezoneOffset", "Date.prototype.getTimezoneOffset = function () { return 60; }"],
  ["Screen.width", "Object.defineProperty(Screen.prototype, 'width', { value: 1920 })"],
])("a replaced %s is found", async (member, source) => {
  const { read } = await openSignal(browser, "automation", "readAutomation", source);

  expect(await read()).toMatchObject({ tampered: [member] });
});

test("a property placed on navigator itself is found", async () => {
  const { read } = await openSignal(
    browser,
    "automation",
    "readAutomation",
    "Object.defineProperty(navigator, 'webdriver', { get: () => false })",
  );

  expect(await read()).toMatchObject({ navigatorProperties: ["webdriver"] });
});
