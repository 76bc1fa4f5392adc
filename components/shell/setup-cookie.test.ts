import { expect, test } from "vitest";

import { isPutAway, putAway } from "./setup-cookie";

const workspace = (index: number) => `ws_${String(index).padStart(32, "0")}`;

test("a workspace is put away once, beside others, and the oldest of many gives way", () => {
  expect(isPutAway(undefined, workspace(1))).toBe(false);
  const one = putAway(undefined, workspace(1));
  expect([isPutAway(one, workspace(1)), isPutAway(one, workspace(2))]).toEqual([true, false]);
  expect(putAway(one, workspace(1))).toBe(one);
  const many = Array.from({ length: 25 }, (_, index) => index).reduce<string>(
    (all, index) => putAway(all, workspace(index)),
    "",
  );
  expect([isPutAway(many, workspace(0)), isPutAway(many, workspace(24))]).toEqual([false, true]);
});
