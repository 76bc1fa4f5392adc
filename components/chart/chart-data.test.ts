import { expect, test } from "vitest";

import { labelledSteps } from "./chart-data";

const stepsOf = (labels: readonly string[]) => labels.map((label) => ({ title: label, label, from: label, to: label }));
const DAYS = Array.from({ length: 30 }, (_, index) => String(index + 1));

test("on the axis of a month every other day is named, and longer dates at most eight times", () => {
  const named = labelledSteps(stepsOf(DAYS));
  expect(named.map(({ label }) => label)).toEqual(DAYS.filter((_, index) => index % 2 === 0));
  expect(named.map(({ index }) => index)).toEqual(named.map((_, place) => 2 * place));
  expect(labelledSteps(stepsOf(DAYS.map((day) => `${day} Nov`)))).toHaveLength(8);
});

test("steps without a label are passed over, and few labels are all shown", () => {
  expect(labelledSteps(stepsOf(["", "Mon", "", "Tue"]))).toEqual([
    { label: "Mon", index: 1 },
    { label: "Tue", index: 3 },
  ]);
});
