import fc from "fast-check";
import { expect, test } from "vitest";

import { isTimestamp, parseDay, parseInstant, withinCalendar } from "./calendar";

test.each(["0001-01-01", "1969-12-31", "2026-02-28", "2028-02-29", "9999-12-31"])("%s is a day", (text) => {
  expect(parseDay(text)?.toISOString()).toBe(`${text}T00:00:00.000Z`);
});

test.each([
  "0000-01-01",
  "0000-12-31",
  "2026-02-29",
  "2026-13-01",
  "+010000-01-01",
  "-000001-01-01",
  "2026-1-1",
  "",
  "x",
])("%j is not a valid day", (text) => {
  expect(parseDay(text)).toBeUndefined();
});

test.each([
  "0000-12-31T23:59:59Z",
  "+010000-01-01T00:00:00Z",
  "+275760-09-13T00:00:00Z",
  "-271821-04-20",
  "",
  "nonsense",
])("%j is not a storable instant", (text) => {
  expect(parseInstant(text)).toBeUndefined();
});

test.each([
  ["2026-11-21 10:00:00.123456+00", true],
  ["2026-11-21T10:00:00+00", true],
  ["2026-02-30 10:00:00+00", false],
  ["9999-99-99 99:99:99+00", false],
  ["0000-01-01 00:00:00+00", false],
  ["2026-11-21 10:00:60+00", false],
  ["2026-11-21 10:00:00+01", false],
  ["2026-11-21 10:00:00.1234567+00", false],
])("%s is a timestamp that the database accepts: %s", (text, isRead) => {
  expect(isTimestamp(text)).toBe(isRead);
});

test("any instant is clamped to a four-digit year, and one within the calendar is unchanged", () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (at) => {
      const kept = withinCalendar(at);
      expect(kept.toISOString()).toMatch(/^(?!0000)\d{4}-/);
      expect(parseInstant(kept.toISOString())).toEqual(kept);
      if (parseInstant(at.toISOString())) expect(kept).toEqual(at);
    }),
  );
});
