import fc from "fast-check";
import { expect, test } from "vitest";

import { addDays, resolveRange } from "./range";

const limits = { today: "2026-03-01", maxDays: 90, defaultDays: 30 };

test.each([
  [{}, { from: "2026-01-31", to: "2026-03-01", days: 30 }],
  [{ days: 1 }, { from: "2026-03-01", to: "2026-03-01", days: 1 }],
  [{ days: 90 }, { from: "2025-12-02", to: "2026-03-01", days: 90 }],
  [
    { from: "2024-02-28", to: "2024-03-01" },
    { from: "2024-02-28", to: "2024-03-01", days: 3 },
  ],
  [{ days: 91 }, "days: expected 1 to 90 on this plan"],
  [{ days: 1.5 }, "days: expected 1 to 90 on this plan"],
  [{ from: "2026-01-01", to: "2026-04-01" }, "from and to: at most 90 days on this plan"],
  [{ from: "2026-01-02", to: "2026-01-01" }, "from is after to"],
  [{ from: "2026-01-02" }, "from and to are given together"],
  [{ days: 3, from: "2026-01-02", to: "2026-01-02" }, "give either days, or from and to"],
  [{ from: "soon", to: "later" }, "from and to are dates, YYYY-MM-DD"],
])("%j resolves to %j", (request, expected) => {
  expect(resolveRange(request, limits)).toEqual(expected);
});

test("a plan with fewer days than the default returns those days", () => {
  expect(resolveRange({}, { ...limits, maxDays: 7 })).toEqual({ from: "2026-02-23", to: "2026-03-01", days: 7 });
});

test("both ways to request the same days give the same range", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 90 }), fc.integer({ min: -20_000, max: 20_000 }), (days, offset) => {
      const today = addDays("2026-03-01", offset);
      expect(resolveRange({ days }, { ...limits, today })).toEqual(
        resolveRange({ from: addDays(today, 1 - days), to: today }, { ...limits, today }),
      );
    }),
  );
});
