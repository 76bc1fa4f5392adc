import fc from "fast-check";
import { expect, test } from "vitest";

import { lastSteps, stepsBetween } from "./time-steps";

const now = new Date("2026-11-21T07:12:04Z");

test("the last steps are whole and include the current one", () => {
  expect(lastSteps(24, "hour", now, "UTC")).toMatchObject({
    from: new Date("2026-11-20T08:00:00Z"),
    to: new Date("2026-11-21T08:00:00Z"),
  });
  const days = lastSteps(3, "day", now, "Asia/Tokyo");
  expect(days.to).toEqual(new Date("2026-11-21T15:00:00Z"));
  expect(days.starts).toEqual(
    ["2026-11-18T15:00Z", "2026-11-19T15:00Z", "2026-11-20T15:00Z"].map((at) => new Date(at)),
  );
  expect(lastSteps(1, "week", now, "UTC").from).toEqual(new Date("2026-11-16T00:00:00Z"));
});

test("a day with a clock change counts as one day", () => {
  const { starts, to } = lastSteps(3, "day", new Date("2026-10-26T12:00:00Z"), "Europe/Berlin");
  const edges = [...starts, to].map((edge) => edge.toISOString());
  expect(edges).toEqual([
    "2026-10-23T22:00:00.000Z",
    "2026-10-24T22:00:00.000Z",
    "2026-10-25T23:00:00.000Z",
    "2026-10-26T23:00:00.000Z",
  ]);
});

test.each([
  ["America/New_York", "2026-03-08T05:00Z"],
  ["America/New_York", "2026-11-01T04:00Z"],
  ["America/Santiago", "2026-09-06T02:00Z"],
  ["Europe/Berlin", "2026-10-24T23:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T14:00Z"],
])("the current step contains the present around the clock change of %s after %s", (zone, before) => {
  for (let minutes = 7; minutes < 240; minutes += 30) {
    const at = new Date(new Date(before).getTime() + minutes * 60_000);
    for (const step of ["hour", "quarter", "day"] as const) {
      const { starts, to } = lastSteps(24, step, at, zone);
      const newest = starts.at(-1) ?? to;
      expect([at, step, newest <= at && at < to]).toEqual([at, step, true]);
    }
  }
});

test("steps of any range start with it, ascend, stay within it and are few enough for a chart", () => {
  const instants = fc.date({ min: new Date("2024-01-01"), max: new Date("2027-01-01"), noInvalidDate: true });
  const zones = fc.constantFrom("UTC", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia");
  fc.assert(
    fc.property(instants, fc.integer({ min: 1, max: 400 * 24 }), zones, (from, hours, zone) => {
      const to = new Date(from.getTime() + hours * 3_600_000);
      const { starts } = stepsBetween(from, to, zone);
      expect(starts[0]).toEqual(from);
      expect(starts.every((start, index) => index === 0 || start > (starts[index - 1] ?? start))).toBe(true);
      expect(starts.at(-1)?.getTime()).toBeLessThan(to.getTime());
      expect(starts.length).toBeLessThanOrEqual(125);
    }),
  );
});
