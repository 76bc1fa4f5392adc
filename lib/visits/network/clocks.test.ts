import { expect, test } from "vitest";
import { compareClocks, offsetsOfCountry } from "./clocks";

const WINTER = new Date("2026-01-15T12:00:00Z");
const SUMMER = new Date("2026-07-15T12:00:00Z");

test("offsetsOfCountry: lists each offset of the country once, for the season", () => {
  expect(offsetsOfCountry("DE", WINTER)).toEqual([60]);
  expect(offsetsOfCountry("DE", SUMMER)).toEqual([120]);
  expect(offsetsOfCountry("US", WINTER)).toEqual([-600, -540, -480, -420, -360, -300]);
  expect(offsetsOfCountry("XX", WINTER)).toEqual([]);
});

test("a zone that changes in the middle of an hour of UTC has its new offset at once", () => {
  const isOfCountry = (country: string, offsetMinutes: number, at: string) => {
    const clock = { timeZone: undefined, offsetMinutes, isHidden: false };
    const { offsetsMinutes = [], countryOffsetsMinutes = [] } = compareClocks(clock, country, new Date(at)) ?? {};
    return offsetsMinutes.every((offset) => countryOffsetsMinutes.includes(offset));
  };
  expect(isOfCountry("AU", -570, "2026-10-03T16:10:00Z")).toBe(true);
  expect(isOfCountry("AU", -630, "2026-10-03T16:40:00Z")).toBe(true);
  expect(isOfCountry("CA", 210, "2026-03-08T05:10:00Z")).toBe(true);
  expect(isOfCountry("CA", 150, "2026-03-08T05:40:00Z")).toBe(true);
});

const compare = (timeZone: string | undefined, offsetMinutes: number | undefined, isHidden = false) =>
  compareClocks({ timeZone, offsetMinutes, isHidden }, "DE", WINTER);

test("compareClocks: returns the named zone's offset and the counted one", () => {
  expect(compare("Asia/Tokyo", -540)).toEqual({
    label: "Asia/Tokyo, offset -540",
    offsetsMinutes: [540],
    countryOffsetsMinutes: [60],
  });
  expect(compare("Asia/Tokyo", 300)?.offsetsMinutes).toEqual([540, -300]);
});

test.each(["UTC", "Etc/UTC", "Etc/GMT", "GMT", "Etc/GMT+0", "Zulu"])(
  "compareClocks: ignores the clock of %s",
  (zone) => {
    expect(compare(zone, 0)).toBeUndefined();
  },
);

test("compareClocks: ignores a hidden, missing or absurd clock", () => {
  expect(compare("Atlantic/Reykjavik", 0, true)).toBeUndefined();
  expect(compare(undefined, undefined)).toBeUndefined();
  expect(compare(undefined, 0)).toBeUndefined();
  expect(compare("Mars/Olympus", 1e9)).toBeUndefined();
  expect(
    compareClocks({ timeZone: "Asia/Tokyo", offsetMinutes: -540, isHidden: false }, undefined, WINTER),
  ).toBeUndefined();
});
