import fc from "fast-check";
import { expect, test } from "vitest";

import { csvLine } from "./csv";

test("cells are quoted, and absent ones are empty", () => {
  expect(csvLine(["a", 1, true, null, undefined, 'say "hi", you'])).toBe('"a","1","true","","","say ""hi"", you"\r\n');
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =cmd|'/c calc'!A0"])(
  "%j is never interpreted as a formula",
  (text) => {
    expect(csvLine([text]).startsWith(`"'`)).toBe(true);
  },
);

test("a negative number stays a number", () => {
  expect(csvLine([-1])).toBe('"-1"\r\n');
});

test("any value stays one cell and never starts a formula", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const line = csvLine([text]);
      const inner = line.slice(1, -3);
      expect(inner.replaceAll('""', "")).not.toContain('"');
      expect(inner).not.toMatch(/^[\s]*[=+\-@]/);
    }),
  );
});
