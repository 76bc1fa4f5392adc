import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { launchChromium, openSignal } from "@/test/browser";

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser.close());

test("vendor, renderer and seven limits", async () => {
  const { read } = await openSignal(browser, "webgl", "readWebgl");
  const value = (await read()) as { vendor: string; renderer: string; limits: number[] };

  expect(value.vendor).not.toBe("");
  expect(value.renderer).not.toBe("");
  expect(value.limits).toHaveLength(7);
  expect(Math.min(...value.limits)).toBeGreaterThan(0);
});

test("a browser without WebGL has no value", async () => {
  const { read } = await openSignal(
    browser,
    "webgl",
    "readWebgl",
    "HTMLCanvasElement.prototype.getContext = () => null",
  );

  expect(await read()).toBeUndefined();
});

test("reading it often does not push out the page's own context", async () => {
  const { page, read } = await openSignal(
    browser,
    "webgl",
    "readWebgl",
    "window.own = document.createElement('canvas').getContext('webgl')",
  );
  for (let i = 0; i < 20; i++) await read();

  expect(await page.evaluate("own.isContextLost()")).toBe(false);
});
