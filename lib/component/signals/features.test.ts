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
  vi.stubGlobal("ApplePaySession", undefined);
  expect(digitOf("ApplePaySession")).toBe("0");
});

test("a missing parent or a getter that throws counts as missing", () => {
  vi.stubGlobal("navigator", {
    get gpu(): never {
      throw new Error("no");
    },
  });
  vi.stubGlobal("Temporal", undefined);

  expect([digitOf("navigator.gpu"), digitOf("Temporal.Now")]).toEqual(["0", "0"]);
});
