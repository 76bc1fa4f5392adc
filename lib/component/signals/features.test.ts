import { afterEach, expect, test, vi } from "vitest";

import { FEATURES } from "@/lib/contract/signal-lists";

import { readFeatures } from "./features";

afterEach(() => {
  vi.unstubAllGlobals();
});

const digitOf = (feature: string) => readFeatures()[FEATURES.findIndex((name) => name === feature)];

test("a digit turns to 1 when its feature appears and to 0 when it goes", () => {
  vi.stubGlobal("ApplePaySession", () => undefined);
  expect(digitOf("ApplePaySession")).toBe("1");
  vi.unstubAllGlobals();
  expect(digitOf("ApplePaySession")).toBe("0");
});

test("a missing parent counts as missing, and what is there is not read", () => {
  const read = vi.fn();
  vi.stubGlobal("navigator", {
    get gpu() {
      return read() as unknown;
    },
  });
  vi.stubGlobal("Temporal", undefined);

  expect([digitOf("navigator.gpu"), digitOf("navigator.usb"), digitOf("Temporal.Now")]).toEqual(["1", "0", "0"]);
  expect(read).not.toHaveBeenCalled();
});
