import { expect, test } from "vitest";

import { pointOf } from "./world-map";

test("a dot is placed at the time zone's main city, else at the centre of the country, else not at all", () => {
  expect(pointOf({ countryCode: "US", timeZone: "America/Los_Angeles" })).toEqual({ left: "17.16%", top: "35.18%" });
  const middle = pointOf({ countryCode: "US" });
  expect(Number.parseFloat(middle?.left ?? "")).toBeGreaterThan(17.16);
  expect(pointOf({ countryCode: "US", timeZone: "Mars/Olympus" })).toEqual(middle);
  expect(pointOf({ countryCode: "XX" })).toBeUndefined();
  expect(pointOf({ countryCode: "toString", timeZone: "constructor" })).toBeUndefined();
  expect(pointOf({})).toBeUndefined();
});

test("countries on both sides of the date line have their centre inside the country", () => {
  for (const code of ["NZ", "FJ", "KI", "RU"]) {
    const left = Number.parseFloat(pointOf({ countryCode: code })?.left ?? "");
    expect(left < 10 || left > 70, `${code} at ${left}`).toBe(true);
  }
});
