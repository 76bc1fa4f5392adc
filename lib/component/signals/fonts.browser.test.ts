import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { FONTS } from "@/lib/contract/signal-lists";

import { launchChromium, openSignal } from "@/test/browser";

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser.close());

test("one digit for each font, and 1 for a font that is installed under its name", async () => {
  const { page, read } = await openSignal(browser, "fonts", "readFonts");
  const digits = String(await read());

  expect(digits).toHaveLength(FONTS.length);
  const generic = FONTS.filter((_font, index) => digits[index] === "1");
  const shown = await page.evaluate((fonts) => fonts.map((font) => document.fonts.check(`12px "${font}"`)), generic);
  expect(shown.every(Boolean)).toBe(true);
});

test("a page without drawing has no value", async () => {
  const { read } = await openSignal(
    browser,
    "fonts",
    "readFonts",
    "HTMLCanvasElement.prototype.getContext = () => null",
  );

  expect(await read()).toBeUndefined();
});

test("a font that does not exist on this machine but is added to the page is not taken for installed", async () => {
  const { page, read } = await openSignal(browser, "fonts", "readFonts");
  const before = await read();
  await page.evaluate(() => {
    document.head.append(
      Object.assign(document.createElement("style"), { textContent: "body { font-family: Calibri }" }),
    );
  });

  expect(await read()).toBe(before);
});
