import fc from "fast-check";
import { expect, test } from "vitest";

import { csvLine } from "./csv";

test("commas, quotes and line breaks stay inside their field, and numbers stay numbers", () => {
  expect(csvLine(['a,"b"\nc', -1, true, null, undefined, ""])).toBe('"a,""b""\nc",-1,true,,,\r\n');
});

test("no text begins a field as a formula", () => {
  fc.assert(
    fc.property(fc.constantFrom("=", "+", "-", "@", "\t", "\r"), fc.string(), (lead, rest) => {
      expect(csvLine([lead + rest])).toMatch(/^"?'/);
    }),
  );
});
