import { afterEach, expect, test, vi } from "vitest";

import { readEngine } from "./engine";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("V8 is Blink by the length of its built-ins and its error text", () => {
  vi.stubGlobal("self", { chrome: {} });

  expect(readEngine()).toEqual({
    family: "blink",
    evalLength: 33,
    errorText: expect.stringMatching(/^Cannot read/) as string,
    hasChromeObject: true,
  });
});

test.each([
  ["gecko", { mozInnerScreenX: 0 }, 37],
  ["webkit", {}, 37],
  ["unknown", {}, 40],
])("%s is told by behaviour, not by the user agent", (family, scope, length) => {
  vi.stubGlobal("self", scope);
  vi.stubGlobal("eval", { toString: () => "x".repeat(length) });

  expect(readEngine()).toMatchObject({ family, evalLength: length, hasChromeObject: false });
});
