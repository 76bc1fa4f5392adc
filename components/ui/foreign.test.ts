import fc from "fast-check";
import { expect, test } from "vitest";

import { foreign, typeable } from "./foreign";

test.each(["Acme (2)", "Überfall 見本", "zoe@example.com", "https://shop.example"])("%s stays as it is", (text) => {
  expect(foreign(text)).toBe(text);
});

test("a name from right to left is isolated in its own direction, an address from left to right", () => {
  expect(foreign("חנות 2")).toBe("\u2068חנות 2\u2069");
  expect(foreign("متجر")).toBe("\u2068متجر\u2069");
  expect(foreign("זואי@example.com")).toBe("\u2066זואי@example.com\u2069");
});

test("a control character neither turns a name around nor ends its isolation", () => {
  expect(foreign("safe\u202Egnp.exe")).toBe("\u2068safe\uFFFDgnp.exe\u2069");
  expect(foreign("a\u2069\u202Eb")).toBe("\u2068a\uFFFD\uFFFDb\u2069");
});

test("a text that is isolated already is not isolated again, whatever it consists of", () => {
  const unit = fc.constantFrom("a", "ח", " ", "@", "\n", "\u202E", "\u2066", "\u2068", "\u2069", "\uD800");
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const shown = foreign(text);
      expect(foreign(shown)).toBe(shown);
      expect(/\p{Bidi_Control}/u.test(shown.replace(/^[\u2066\u2068]([^]*)\u2069$/, "$1"))).toBe(false);
    }),
  );
});

test("a text that was typed into an address is isolated in no time, however many signs of an address it has", () => {
  const startedAt = performance.now();
  for (const sign of ["@", "://"]) expect(foreign(`${sign.repeat(16_000)} ח`)).toMatch(/^\u2068/);
  expect(performance.now() - startedAt).toBeLessThan(500);
});

test("a name is typed as it looks: decomposed accents and invisible controls do not matter, letters do", () => {
  expect(typeable("Cafe\u0301 \u202Eחנות")).toBe(typeable("Café חנות "));
  expect(typeable("Cafe")).not.toBe(typeable("Café"));
});
