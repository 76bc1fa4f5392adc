import fc from "fast-check";
import { expect, test } from "vitest";

import { backupName, backupsUntil, backupTime, isDue, lastSlot } from "./schedule";

const at = (text: string) => new Date(text);

test("a daily backup is due once after its hour, even if the service was not running then", () => {
  const daily = { everyHours: 24, hour: 3 };
  expect(lastSlot(at("2026-11-23T02:59:59Z"), daily)).toEqual(at("2026-11-22T03:00:00Z"));
  expect(lastSlot(at("2026-11-23T03:00:00Z"), daily)).toEqual(at("2026-11-23T03:00:00Z"));
  expect(isDue(undefined, at("2026-11-23T12:00:00Z"), daily)).toBe(true);
  expect(isDue(at("2026-11-23T03:00:07Z"), at("2026-11-23T23:00:00Z"), daily)).toBe(false);
  expect(isDue(at("2026-11-22T03:00:07Z"), at("2026-11-23T09:30:00Z"), daily)).toBe(true);
  expect(lastSlot(at("2026-11-23T12:30:00Z"), { everyHours: 6, hour: 1 })).toEqual(at("2026-11-23T07:00:00Z"));
});

test("a name contains its time, and names sort by it", () => {
  const dates = fc.date({ min: at("2000-01-01T00:00:00Z"), max: at("2999-01-01T00:00:00Z"), noInvalidDate: true });
  fc.assert(
    fc.property(dates, dates, (one, other) => {
      expect(backupTime(backupName(one))?.getTime()).toBe(Math.floor(one.getTime() / 1000) * 1000);
      if (Math.floor(one.getTime() / 1000) < Math.floor(other.getTime() / 1000))
        expect(backupName(one) < backupName(other)).toBe(true);
    }),
  );
});

test("backups are listed newest first, without other files and those dated in the future by a wrong clock", () => {
  const names = ["03", "01", "02"].map((day) => `imprint-202611${day}T030000Z.backup`);
  const others = [
    "notes.txt",
    "imprint-20261101T030000Z.backup.12.part",
    "imprint-2026.backup",
    "imprint-20269901T030000Z.backup",
    "imprint-20271101T030000Z.backup",
  ];
  const listed = (now: string) => backupsUntil(at(now), [...names, ...others]).map(({ name }) => name);
  expect(listed("2026-11-03T02:30:00Z")).toEqual([...names].sort().reverse());
  expect(listed("2026-11-03T01:30:00Z")).toEqual([...names].sort().reverse().slice(1));
});
