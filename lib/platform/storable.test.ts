import fc from "fast-check";
import { expect, test } from "vitest";

import { isStorable, isStorableTarget, isStorableValue, mayHideUnstorable } from "./storable";

const FORM = new FormData();
FORM.set("name\u0000", "x");

test.each([
  ["a NUL", "a\u0000b"],
  ["a high surrogate alone", "a\ud800"],
  ["a low surrogate alone", "\udc00b"],
  ["surrogates the wrong way round", "\udc00\ud800"],
  ["one in a list of an object", { rows: [{ name: "\u0000" }] }],
  ["one in the name of a field", { "\ud800": 1 }],
  ["one in a map", new Map([["a", new Set(["\u0000"])]])],
  ["one in the name of a form's field", FORM],
])("a value with %s is refused", (_name, value) => {
  expect(isStorableValue(value)).toBe(false);
});

test("excessively nested values are refused instead of followed", () => {
  let deep: unknown = "x";
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(isStorableValue(deep)).toBe(false);
});

test.each(["/w/x%00", "/w/x?y=%00", "/w/x?y=a%00b"])("the request target %s is refused", (target) => {
  expect(isStorableTarget(target)).toBe(false);
});

test("every text without the two is accepted, and JSON that could hide one is always checked", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.jsonValue(), (text, value) => {
      const isFine = Buffer.from(text).toString() === text && !text.includes("\u0000");
      expect(isStorable(text)).toBe(isFine);
      expect(isStorableValue({ value: [text] })).toBe(isFine);
      const json = JSON.stringify([value, text]);
      if (!isStorableValue(JSON.parse(json))) expect(mayHideUnstorable(json)).toBe(true);
    }),
  );
});
