import { expect, test } from "vitest";

import { readMath } from "./math";

test("four finite results, the same each time", () => {
  const first = readMath();

  expect(first).toHaveLength(4);
  expect(first.every(Number.isFinite)).toBe(true);
  expect(readMath()).toEqual(first);
});
