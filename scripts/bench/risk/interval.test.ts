import { expect, test } from "vitest";

import { interval, shareText } from "./interval";

test.each([
  [0, 50, 0, 0.0713],
  [5, 50, 0.0435, 0.2136],
  [25, 50, 0.3664, 0.6336],
  [200, 200, 0.9812, 1],
])("the interval of %i of %i is Wilson's", (part, whole, low, high) => {
  const found = interval(part, whole);
  expect([found.low, found.high].map((value) => Number(value.toFixed(4)))).toEqual([low, high]);
});

test("the interval of a share of zero items is from 0 to 1", () => {
  expect(interval(0, 0)).toEqual({ low: 0, high: 1 });
  expect(shareText(0, 0)).toBe("0 of 0");
});
