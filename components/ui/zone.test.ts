import fc from "fast-check";
import { expect, test, vi } from "vitest";

import { instantOf, isZone, wallClock, zoneOffset, zoneText } from "./zone";

const ZONES = ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia", "Australia/Lord_Howe"];

test("invalid zone names are rejected", () => {
  for (const zone of ZONES) expect(isZone(zone), zone).toBe(true);
  for (const text of ["", "Mars/Olympus", "<b>", "Europe/Berlin;", "../../etc"]) expect(isZone(text), text).toBe(false);
});

test("a zone is known in any capitals, and no more of them are kept than a hundred", () => {
  const made = vi.spyOn(Intl, "DateTimeFormat");
  const inCapitals = (bits: number) =>
    "europe/berlin".replaceAll(/[a-z]/g, (letter, at: number) => ((bits >> at) & 1 ? letter.toUpperCase() : letter));
  for (let bits = 0; bits < 300; bits += 1) expect(isZone(inCapitals(bits))).toBe(true);
  made.mockClear();
  expect([isZone(inCapitals(299)), made.mock.calls.length]).toEqual([true, 0]);
  expect([isZone(inCapitals(0)), made.mock.calls.length]).toEqual([true, 1]);
  made.mockRestore();
});

test("offsets include daylight saving time", () => {
  expect(wallClock(new Date("2026-07-01T12:00:00Z"), "Europe/Berlin").toISOString()).toBe("2026-07-01T14:00:00.000Z");
  expect(wallClock(new Date("2026-12-01T12:00:00Z"), "America/St_Johns").toISOString()).toBe(
    "2026-12-01T08:30:00.000Z",
  );
  expect(zoneText(new Date("2026-12-01T12:00:00Z"), "America/St_Johns")).toBe("UTC-3:30");
  expect(zoneText(new Date("2026-07-01T12:00:00Z"), "Europe/Berlin")).toBe("UTC+2");
});

test("local time converts back to the instant, except in the repeated hour", () => {
  const instants = fc.date({ min: new Date("2000-01-01"), max: new Date("2037-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(instants, fc.constantFrom(...ZONES), (at, zone) => {
      const back = instantOf(wallClock(at, zone), zone);
      const distance = Math.abs(back.getTime() - at.getTime());
      expect(distance === 0 || distance <= 3_600_000).toBe(true);
      const isClear = [-90, 90].every(
        (minutes) => zoneOffset(new Date(at.getTime() + minutes * 60_000), zone) === zoneOffset(at, zone),
      );
      if (isClear) expect(back).toEqual(at);
    }),
  );
});

test("a skipped local time is an instant after the gap, a repeated one its first occurrence", () => {
  const instant = (wall: string, zone: string) => instantOf(new Date(`${wall}Z`), zone).toISOString();
  expect(instant("2026-03-08T02:00", "America/New_York")).toBe("2026-03-08T07:00:00.000Z");
  expect(instant("2026-09-06T00:00", "America/Santiago")).toBe("2026-09-06T04:00:00.000Z");
  expect(instant("2026-10-25T02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
  expect(instant("2026-10-25T03:00", "Europe/Berlin")).toBe("2026-10-25T02:00:00.000Z");
});
