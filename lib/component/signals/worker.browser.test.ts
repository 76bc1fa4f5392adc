import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { launchChromium, openSignal } from "@/test/browser";

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser.close());

test("a worker sees the same browser as the page", async () => {
  const { page, read } = await openSignal(browser, "worker", "readWorker");
  const here = await page.evaluate(() => ({
    userAgent: navigator.userAgent,
    platform: navigator.platform,
    languages: [...navigator.languages],
    hardwareConcurrency: navigator.hardwareConcurrency,
    timezoneOffset: new Date().getTimezoneOffset(),
  }));

  expect(await read()).toMatchObject({ ...here, renderer: expect.any(String) as string, uaPlatform: "Linux" });
});

test("a disguise of the page alone does not reach the worker", async () => {
  const { read } = await openSignal(
    browser,
    "worker",
    "readWorker",
    "Object.defineProperty(Navigator.prototype, 'platform', { get: () => 'Win32' })",
  );

  expect(await read()).toMatchObject({ platform: expect.not.stringContaining("Win") as string });
});

test("a worker without graphics still reports the rest", async () => {
  const { read } = await openSignal(
    browser,
    "worker",
    "readWorker",
    "const make = Blob; window.Blob = class extends make { constructor(parts, type) { super(['self.OffscreenCanvas = undefined;', ...parts], type); } }",
  );

  expect(await read()).toMatchObject({ userAgent: expect.any(String) as string, renderer: undefined });
});

test("a worker's first drawing that is refused, as while a browser starts, is asked for once more", async () => {
  const refusing = `const open = OffscreenCanvas.prototype.getContext; let asked = 0;
    OffscreenCanvas.prototype.getContext = function (...kind) { return asked++ ? open.apply(this, kind) : null; };`;
  const { read } = await openSignal(
    browser,
    "worker",
    "readWorker",
    `const make = Blob; window.Blob = class extends make { constructor(parts, type) { super([${JSON.stringify(refusing)}, ...parts], type); } }`,
  );

  expect(await read()).toMatchObject({ renderer: expect.any(String) as string });
});
