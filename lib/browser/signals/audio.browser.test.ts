import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { launchChromium, openSignal } from "../testing";

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser.close());

test("Chromium on x86-64 renders the published constant; the processor alone changes it", async () => {
  const { read } = await openSignal(browser, "audio", "readAudio");

  expect(Number(await read())).toBeCloseTo(124.0434, 2);
});

test("a browser without offline audio has no value", async () => {
  const { read } = await openSignal(browser, "audio", "readAudio", "delete window.OfflineAudioContext");

  expect(await read()).toBeUndefined();
});
