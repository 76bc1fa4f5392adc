import { expect, test } from "vitest";

import { isDismissed, dismiss } from "./setup-cookie";

const workspace = (index: number) => `ws_${String(index).padStart(32, "0")}`;

test("a workspace is dismissed once, next to others, and the oldest of many gives way", () => {
  expect(isDismissed(undefined, workspace(1))).toBe(false);
  const one = dismiss(undefined, workspace(1));
  expect([isDismissed(one, workspace(1)), isDismissed(one, workspace(2))]).toEqual([true, false]);
  expect(dismiss(one, workspace(1))).toBe(one);
  const many = Array.from({ length: 25 }, (_, index) => index).reduce<string>(
    (all, index) => dismiss(all, workspace(index)),
    "",
  );
  expect([isDismissed(many, workspace(0)), isDismissed(many, workspace(24))]).toEqual([false, true]);
});
