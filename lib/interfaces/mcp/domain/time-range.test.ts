import { expect, test } from "vitest";

import { resolveTimeRange } from "./time-range";

const now = new Date("2026-11-23T10:30:00Z");
const told = (given: { from?: string; to?: string }) => {
  const range = resolveTimeRange(given, now);
  return typeof range === "string" ? range : [range.from.toISOString(), range.to.toISOString()];
};

test("days are whole and inclusive, instants are exact, and the default is the last 30 days", () => {
  expect(told({ from: "2026-11-20", to: "2026-11-22" })).toEqual([
    "2026-11-20T00:00:00.000Z",
    "2026-11-23T00:00:00.000Z",
  ]);
  expect(told({ from: "2026-11-23T09:00:00Z", to: "2026-11-23T09:05:00+00:00" })).toEqual([
    "2026-11-23T09:00:00.000Z",
    "2026-11-23T09:05:00.000Z",
  ]);
  expect(told({ from: "2026-11-23" })).toEqual(["2026-11-23T00:00:00.000Z", now.toISOString()]);
  expect(told({})).toEqual(["2026-10-24T10:30:00.000Z", now.toISOString()]);
});

test("a range that is reversed, too long or outside the calendar is refused with an explanation", () => {
  expect(told({ from: "2026-11-23", to: "2026-11-22" })).toMatch(/before to/);
  expect(told({ from: "2020-01-01" })).toMatch(/400 days/);
  expect(told({ from: "0000-01-01", to: "0001-01-01" })).toMatch(/not a valid day/);
  expect(told({ from: "9999-12-31", to: "9999-12-31" })).toEqual([
    "9999-12-31T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
  ]);
});
