import fc from "fast-check";
import { expect, test } from "vitest";

import { projectUnits } from "./projection";

const month = { period: "2026-11", limit: 3000 };
const at = (text: string) => new Date(`${text}Z`);

test("half the limit after half the month is projected to reach the limit at the end", () => {
  const half = at("2026-11-16T00:00:00");
  expect(projectUnits({ ...month, used: 1500 }, half)).toEqual({ atEnd: 3000, runsOutAt: undefined });
  expect(projectUnits({ ...month, used: 2000 }, half)).toEqual({ atEnd: 4000, runsOutAt: at("2026-11-23T12:00:00") });
});

test("a limit already reached has a past date, and a plan without a limit never runs out", () => {
  const half = at("2026-11-16T00:00:00");
  expect(projectUnits({ ...month, used: 3000 }, half)?.runsOutAt).toEqual(half);
  expect(projectUnits({ period: "2026-11", limit: null, used: 9 }, half)).toEqual({ atEnd: 18, runsOutAt: undefined });
});

test("there is no projection for an unused month, its first day, or another month", () => {
  expect(projectUnits({ ...month, used: 0 }, at("2026-11-16T00:00:00"))).toBeUndefined();
  expect(projectUnits({ ...month, used: 10 }, at("2026-11-01T23:59:59"))).toBeUndefined();
  expect(projectUnits({ ...month, used: 10 }, at("2026-12-01T00:00:01"))).toBeUndefined();
});

test("a limit runs out before the end exactly if the projection exceeds it", () => {
  const days = fc.integer({ min: 1, max: 29 });
  fc.assert(
    fc.property(days, fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (day, used, limit) => {
      const now = new Date(Date.UTC(2026, 10, day + 1));
      const projected = projectUnits({ period: "2026-11", used, limit }, now);
      expect(projected?.runsOutAt !== undefined).toBe((used * 30) / day > limit);
    }),
  );
});
