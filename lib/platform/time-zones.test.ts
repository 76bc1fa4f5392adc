import fc from "fast-check";
import { expect, test } from "vitest";

import { offsetOfZone } from "./time-zones";

const WINTER = new Date("2026-01-15T12:00:00Z");
const SUMMER = new Date("2026-07-15T12:00:00Z");

test.each([
  ["Europe/Berlin", WINTER, 60],
  ["Europe/Berlin", SUMMER, 120],
  ["europe/BERLIN", SUMMER, 120],
  ["America/St_Johns", WINTER, -210],
  ["Asia/Kathmandu", WINTER, 345],
  ["UTC", WINTER, 0],
  ["Africa/Monrovia", WINTER, 0],
  ["Nowhere/Land", WINTER, undefined],
  ["", WINTER, undefined],
])("%s at %s is %s minutes, also from the cache", (zone, at, minutes) => {
  expect(offsetOfZone(zone, at)).toBe(minutes);
  expect(offsetOfZone(zone, at)).toBe(minutes);
});

test("every zone of this system has a whole-minute offset, and no input makes the look-up throw", () => {
  for (const zone of Intl.supportedValuesOf("timeZone")) expect(offsetOfZone(zone, SUMMER)).toBeTypeOf("number");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(["number", "undefined"]).toContain(typeof offsetOfZone(text, SUMMER));
    }),
  );
});

test("invented zone names may evict cached ones, and results stay right", () => {
  for (let index = 0; index < 10_000; index += 1) offsetOfZone(`Nowhere/${index}`, SUMMER);
  expect(offsetOfZone("Europe/Berlin", SUMMER)).toBe(120);
  expect(offsetOfZone("Nowhere/1", SUMMER)).toBeUndefined();
});
