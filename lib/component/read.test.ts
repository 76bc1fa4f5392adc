import fc from "fast-check";
import { expect, test } from "vitest";

import { bitmap, flag, number, pick, text, texts } from "./read";

test("text is bounded and holds neither NUL nor lone surrogates, whatever comes in", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.anything()), (value) => {
      const result = text(value);
      if (typeof value !== "string") expect(result).toBeUndefined();
      else expect(result).toMatch(/^[^\0\p{Cs}]{0,128}$/u);
    }),
  );
});

test("checks let their own kind through and nothing else", () => {
  expect([number(3), number(NaN), number(Infinity), number("3"), number(null)]).toEqual([
    3,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect([flag(false), flag(0), flag(undefined)]).toEqual([false, undefined, undefined]);
  expect(texts(["a", 1, "b"])).toEqual(["a", "", "b"]);
  expect(texts(Array(99).fill("a"))).toHaveLength(16);
  expect(texts("ab")).toBeUndefined();
});

test("pick reads each name on its own: one that throws leaves the others", () => {
  const source = {
    good: "x",
    get bad(): string {
      throw new Error("no");
    },
  };

  expect(pick(source, text, "good bad missing")).toEqual({ good: "x", bad: undefined, missing: undefined });
  expect(pick(null, text, "any")).toEqual({ any: undefined });
});

test("bitmap has one digit per item, 0 where the test throws", () => {
  expect(
    bitmap([1, 0, 2], (item) => {
      if (item === 2) throw new Error("no");
      return item;
    }),
  ).toBe("100");
});
