import { getPriority } from "node:os";

import { expect, test } from "vitest";

import { lowerPriority } from "./lower-priority";

test("a process takes the given priority, keeps a lower one, and goes on where none may be set", () => {
  const given = getPriority();
  lowerPriority(given + 1);
  expect(getPriority()).toBe(given + 1);
  lowerPriority(given);
  expect(getPriority()).toBe(given + 1);
  const refused: number[] = [];
  lowerPriority(given + 2, (nice) => {
    refused.push(nice);
    throw new Error("operation not permitted");
  });
  expect(refused).toEqual([given + 2]);
});
