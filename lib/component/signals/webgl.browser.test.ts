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

const LOSES_FIRST = `
  const open = HTMLCanvasElement.prototype.getContext;
  window.opened = 0;
  HTMLCanvasElement.prototype.getContext = function (...options) {
    const gl = open.apply(this, options);
    const isLost = window.opened++ < LOST;
    const { getParameter } = gl;
    if (isLost) gl.getParameter = (name) => (name === 0x9245 || name === 0x9246 ? "" : getParameter.call(gl, name));
    return gl;
  };`;

test("a context whose names were lost is read once more", async () => {
  const { page, read } = await openSignal(browser, "webgl", "readWebgl", LOSES_FIRST.replace("LOST", "1"));

  expect(await read()).toMatchObject({ renderer: expect.stringMatching(/./) as string });
  expect(await page.evaluate("opened")).toBe(2);
});

test("a browser that names no card is asked no more than twice", async () => {
  const { page, read } = await openSignal(browser, "webgl", "readWebgl", LOSES_FIRST.replace("LOST", "9"));

  expect(await read()).toMatchObject({
    renderer: "",
    limits: [0, 0, 0, 0, 0, 0, 0].map(() => expect.any(Number) as number),
  });
  expect(await page.evaluate("opened")).toBe(2);
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
