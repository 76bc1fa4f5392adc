import { expect, test } from "vitest";

import { conditionText } from "./condition-text";

test.each([
  [5, "within 5 minutes", "the same 5 minutes"],
  [60, "within an hour", "the same hour"],
  [90, "within 90 minutes", "the same 90 minutes"],
  [120, "within 2 hours", "the same 2 hours"],
  [7 * 24 * 60, "within 168 hours", "the same 168 hours"],
])("a window of %i minutes reads well in both conditions", (windowMinutes, within, same) => {
  expect(conditionText({ condition: "number", threshold: 1, windowMinutes })).toBe(`more than 1 visit ${within}`);
  expect(conditionText({ condition: "history", threshold: 200, windowMinutes })).toBe(
    `more than 200 % of the mean of ${same} in the last four weeks`,
  );
});
