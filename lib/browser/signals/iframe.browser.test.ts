import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { launchChromium, openSignal } from "../testing";

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser.close());

test("a fresh frame sees the same browser as the page, and nothing stays behind", async () => {
  const { page, read } = await openSignal(browser, "iframe", "readIframe");
  const userAgent = await page.evaluate(() => navigator.userAgent);

  expect(await read()).toMatchObject({ userAgent, isSelfWindow: true });
  expect(await page.evaluate(() => document.querySelectorAll("iframe").length)).toBe(0);
});

test("a disguise of the page alone does not reach the frame", async () => {
  const { read } = await openSignal(
    browser,
    "iframe",
    "readIframe",
    "Object.defineProperty(Navigator.prototype, 'userAgent', { get: () => 'Disguise' })",
  );

  expect(await read()).not.toMatchObject({ userAgent: "Disguise" });
});

test("a frame that a content blocker emptied is absent, and still removed", async () => {
  const { page, read } = await openSignal(
    browser,
    "iframe",
    "readIframe",
    "Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', { get: () => null })",
  );

  expect(await read()).toBeUndefined();
  expect(await page.evaluate(() => document.querySelectorAll("iframe").length)).toBe(0);
});
