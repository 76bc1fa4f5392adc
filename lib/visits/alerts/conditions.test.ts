import fc from "fast-check";
import { expect, test } from "vitest";

import { limitOf, stepOf } from "./domain/limit";
import { afterQuietHours, isZone, parseTimeOfDay } from "./domain/quiet-hours";
import { viewFilter } from "./view-filter";

const WORKSPACE = `ws_${"0".repeat(32)}`;
const NIGHT = { from: 22 * 60, to: 7 * 60, zone: "Europe/Amsterdam" };

test.each([
  ["in the evening", "2026-06-10T20:30:00Z", NIGHT, "2026-06-11T05:00:00.000Z"],
  ["after midnight", "2026-06-11T01:15:40Z", NIGHT, "2026-06-11T05:00:00.000Z"],
  ["by day", "2026-06-11T10:00:00Z", NIGHT, "2026-06-11T10:00:00.000Z"],
  ["at their end", "2026-06-11T05:00:00Z", NIGHT, "2026-06-11T05:00:00.000Z"],
  ["over noon", "2026-06-11T12:30:00Z", { from: 720, to: 780, zone: "UTC" }, "2026-06-11T13:00:00.000Z"],
  ["in the night that loses an hour", "2026-03-28T23:00:00Z", NIGHT, "2026-03-29T05:00:00.000Z"],
  ["in the night that has one more", "2026-10-24T22:00:00Z", NIGHT, "2026-10-25T06:00:00.000Z"],
])("quiet hours %s end by their own clock", (_name, at, quiet, end) => {
  expect(afterQuietHours(new Date(at), quiet).toISOString()).toBe(end);
});

test("no notification is delayed by more than a day and an hour, or sent before its incident", () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  const zone = fc.constantFrom("UTC", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe");
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
      minute,
      minute,
      zone,
      (at, from, to, name) => {
        const held = afterQuietHours(at, { from, to, zone: name }).getTime() - at.getTime();
        return held > -60_000 * 61 && held <= 25 * 3_600_000;
      },
    ),
    { numRuns: 300 },
  );
});

test("an alert by history needs weeks to compare with, and more than chance variation", () => {
  expect(limitOf("number", 5, [])).toBe(5);
  expect(limitOf("history", 200, [])).toBeUndefined();
  expect(limitOf("history", 200, [0, 1])).toBe(10);
  expect(limitOf("history", 200, [100, 100, 100, 100])).toBe(200);
  expect(limitOf("history", 110, [100, 100])).toBe(130);
});

test("visits that fluctuate around the limit make one incident", () => {
  let [isOpen, opened] = [false, 0];
  for (const visits of [99, 101, 100, 102, 90, 101, 81, 103, 80, 60]) {
    const step = stepOf(isOpen, visits, 100);
    if (step === "opens") opened += 1;
    isOpen = step === "none" || step === "ends" ? false : true;
  }
  expect([opened, isOpen]).toEqual([1, false]);
});

test("a view is counted by its filters regardless of its time range, and not at all if it is invalid", () => {
  expect(
    viewFilter(WORKSPACE, "risk=!PASS&span=30d&asn=64496,64497&rule=environment.window&by=country&app=app_1"),
  ).toEqual({
    workspaceId: WORKSPACE,
    status: { isExcluded: true, values: ["PASS"] },
    asn: { isExcluded: false, values: [64_496, 64_497] },
    rule: { isExcluded: false, values: ["environment.window"] },
    webAppId: { isExcluded: false, values: ["app_1"] },
  });
  for (const query of ["risk=WRONG", "risk=PASS,WRONG", "risk=PASS&risk=DECEPTIVE", "asn=x", "label=fraud", "risk="])
    expect(viewFilter(WORKSPACE, query)).toBeUndefined();
  expect([parseTimeOfDay("22:30"), parseTimeOfDay("24:00"), parseTimeOfDay("7:00")]).toEqual([
    1350,
    undefined,
    undefined,
  ]);
  expect([isZone("Europe/Amsterdam"), isZone("Mars/Olympus")]).toEqual([true, false]);
});
