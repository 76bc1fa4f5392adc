import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { launchChromium, openSignal } from "@/test/browser";

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser.close());

test("a browser without noise repeats its drawing and reads a solid fill back exactly", async () => {
  const { read } = await openSignal(browser, "canvas", "readCanvas");
  const first = await read();

  expect(first).toEqual({
    hash: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    isStable: true,
    solidFillErrors: 0,
  });
  expect(await read()).toEqual(first);
});

const NOISE = `let reads = 0;
  const original = CanvasRenderingContext2D.prototype.getImageData;
  CanvasRenderingContext2D.prototype.getImageData = function (...place) {
    const image = original.apply(this, place);
    image.data[4 * (reads++ % 40)] ^= 1;
    return image;
  };`;

test("noise that a privacy tool adds on reading is seen", async () => {
  const { read } = await openSignal(browser, "canvas", "readCanvas", NOISE);

  expect(await read()).toMatchObject({ isStable: false, solidFillErrors: 1 });
});
