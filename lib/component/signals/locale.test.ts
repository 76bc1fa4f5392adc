import { afterEach, expect, test, vi } from "vitest";

import { readLocale } from "./locale";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("the locale that formatting uses by default", () => {
  expect(readLocale()).toEqual({ locale: Intl.DateTimeFormat().resolvedOptions().locale });
});

test("a locale of the wrong kind is left out", () => {
  vi.stubGlobal("Intl", {
    PluralRules: class {
      resolvedOptions = () => ({ locale: 7 });
    },
  });

  expect(readLocale()).toEqual({});
});
