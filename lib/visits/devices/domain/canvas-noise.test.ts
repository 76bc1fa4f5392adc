import { expect, test } from "vitest";

import { drawsWithoutNoise } from "./canvas-noise";

const clean = { isStable: true, solidFillErrors: 0 };

test.each([
  ["Chrome", "chrome", "blink", true],
  ["Edge", "edge", "blink", true],
  ["Brave", "brave", "blink", false],
  ["Samsung Internet", "samsung-internet", "blink", false],
  ["DuckDuckGo", "duckduckgo", "blink", false],
  ["Firefox", "firefox", "gecko", false],
  ["Safari", "safari", "webkit", false],
  ["a browser without a name", "unknown", "unknown", false],
])("whether the canvas of %s is used: %#", (_name, family, engine, expected) => {
  expect(drawsWithoutNoise({ family, engine }, clean)).toBe(expected);
});

test("a canvas with noise that the page can see, and a missing one, are never used", () => {
  const chrome = { family: "chrome", engine: "blink" };
  expect(drawsWithoutNoise(chrome, { ...clean, isStable: false })).toBe(false);
  expect(drawsWithoutNoise(chrome, { ...clean, solidFillErrors: 1 })).toBe(false);
  expect(drawsWithoutNoise(chrome, undefined)).toBe(false);
});
