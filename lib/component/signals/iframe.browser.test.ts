import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { launchChromium, openSignal } from "@/test/browser";

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser.close());

const frameCount = (page: Page) => page.evaluate(() => document.querySelectorAll("iframe").length);

test("a fresh frame sees the same browser as the page, and none stays behind", async () => {
  const { page, read } = await openSignal(browser, "iframe", "readIframe");
  const userAgent = await page.evaluate(() => navigator.userAgent);

  expect(await read()).toMatchObject({ userAgent, isSelfWindow: true });
  await expect.poll(() => frameCount(page)).toBe(0);
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
  await expect.poll(() => frameCount(page)).toBe(0);
});

/** As stealth tools do it: a frame gets another window as soon as `srcdoc` is set. */
const STAND_IN = `const create = Document.prototype.createElement;
  Document.prototype.createElement = function (...given) {
    const frame = create.apply(this, given);
    Object.defineProperty(frame, "srcdoc", { configurable: true, set() {
      const inner = new Proxy(window, { get: (target, key) => key === "self" ? target : Reflect.get(target, key) });
      Object.defineProperty(this, "contentWindow", { get: () => inner });
    } });
    return frame;
  };`;

test("a tool that puts another window in the place of the frame's own is seen", async () => {
  const { read } = await openSignal(browser, "iframe", "readIframe", STAND_IN);

  expect(await read()).toMatchObject({ isSelfWindow: false });
});
