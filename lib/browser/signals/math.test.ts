import { expect, test } from "vitest";

import { readMath } from "./math";

test("eight finite results, the same each time", () => {
  const first = readMath();

  expect(first).toHaveLength(8);
  expect(first.every(Number.isFinite)).toBe(true);
  expect(readMath()).toEqual(first);
});
