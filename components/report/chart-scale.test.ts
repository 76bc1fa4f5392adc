import fc from "fast-check";
import { expect, test } from "vitest";

import { chartLines } from "./chart-scale";

test("grid lines start at zero, are integers, evenly spaced, few, and reach the maximum", () => {
  fc.assert(
    fc.property(fc.nat({ max: 10_000_000 }), (max) => {
      const lines = chartLines(max);
      const step = lines[1] ?? 0;
      expect(lines[0]).toBe(0);
      expect(lines.at(-1)).toBeGreaterThanOrEqual(max);
      expect(lines.every((line, index) => line === index * step && Number.isInteger(line))).toBe(true);
      expect(lines.length).toBeGreaterThanOrEqual(2);
      expect(lines.length).toBeLessThanOrEqual(6);
    }),
  );
});

test("the scale of known values", () => {
  expect(chartLines(0)).toEqual([0, 1]);
  expect(chartLines(3)).toEqual([0, 1, 2, 3]);
  expect(chartLines(112)).toEqual([0, 50, 100, 150]);
});
