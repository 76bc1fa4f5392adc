import { afterEach, expect, test, vi } from "vitest";

import { readUaData } from "./ua-data";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a browser without client hints has none", async () => {
  vi.stubGlobal("navigator", {});

  expect(await readUaData()).toBeUndefined();
});

test("known hints are kept and bounded, unknown ones are not sent", async () => {
  const brand = { brand: "B".repeat(99), version: "156", secret: "x" };
  vi.stubGlobal("navigator", {
    userAgentData: {
      getHighEntropyValues: () =>
        Promise.resolve({ brands: Array(20).fill(brand), mobile: false, model: "Pixel", wow64: true, bitness: 64 }),
    },
  });

  expect(await readUaData()).toEqual({
    brands: Array(8).fill({ brand: "B".repeat(64), version: "156" }),
    mobile: false,
    model: "Pixel",
  });
});

test("hints that are refused are a failure of this signal", async () => {
  vi.stubGlobal("navigator", {
    userAgentData: { getHighEntropyValues: () => Promise.reject(new DOMException("no", "NotAllowedError")) },
  });

  await expect(readUaData()).rejects.toThrow();
});
