import fc from "fast-check";
import { expect, test } from "vitest";

import { GRANULARITIES, groupUsage } from "./group-usage";

const DAY_MS = 86_400_000;
const dateOf = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * DAY_MS).toISOString().slice(0, 10);

const day = (index: number, calls: number) => ({
  date: dateOf(index),
  units: calls,
  calls,
  outcomes: calls > 0 ? { delivered: calls } : {},
});

test("periods add up to the range, are in order without overlap, and omit empty ones", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(3), { minLength: 1, maxLength: 400 }),
      fc.nat(1_000),
      fc.constantFrom(...GRANULARITIES),
      (counts, start, granularity) => {
        const days = counts.map((calls, index) => day(start + index, calls));
        const periods = groupUsage(days, granularity);
        const sum = (values: readonly { calls: number }[]) => values.reduce((total, { calls }) => total + calls, 0);
        expect(sum(periods)).toBe(sum(days));
        for (const [index, { from, to, calls, units, outcomes }] of periods.entries()) {
          expect(from <= to && from > (periods[index - 1]?.to ?? "")).toBe(true);
          const inside = days.filter(({ date }) => date >= from && date <= to);
          expect([calls, units, outcomes]).toEqual([sum(inside), sum(inside), { delivered: sum(inside) }]);
          expect(calls).toBeGreaterThan(0);
        }
      },
    ),
  );
});

test("weeks start on Monday and months on the first, except where the range cuts them", () => {
  // 2026-01-01 is a Thursday.
  const days = Array.from({ length: 40 }, (_, index) => day(index, 1));
  expect(groupUsage(days, "week").map(({ from }) => from)).toEqual([
    "2026-01-01",
    "2026-01-05",
    "2026-01-12",
    "2026-01-19",
    "2026-01-26",
    "2026-02-02",
    "2026-02-09",
  ]);
  expect(groupUsage(days, "month").map(({ from, to }) => [from, to])).toEqual([
    ["2026-01-01", "2026-01-31"],
    ["2026-02-01", "2026-02-09"],
  ]);
});
