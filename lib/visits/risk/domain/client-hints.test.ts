import fc from "fast-check";
import { expect, test } from "vitest";

import { browserOfBrands, parseBrandHeader, systemOfPlatform, systemVersion, unquote } from "./client-hints";

test("the brand header is parsed with versions, including the GREASE brand", () => {
  expect(parseBrandHeader('"Not:A-Brand";v="8", "Chromium";v="156", "Google Chrome"; v="156"')).toEqual([
    { brand: "Not:A-Brand", version: "8" },
    { brand: "Chromium", version: "156" },
    { brand: "Google Chrome", version: "156" },
  ]);
});

test("no header makes the parsers throw", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 3000 }), (header) => {
      expect(parseBrandHeader(header).length).toBeLessThanOrEqual(8);
      expect(typeof unquote(header)).toMatch(/string|undefined/);
    }),
  );
});

test("a derivative is identified by its own brand, and its Chromium separately", () => {
  const brands = [
    { brand: "Chromium", version: "142.0.7444.60" },
    { brand: "Opera", version: "126.0.5750.18" },
    { brand: "Not_A Brand", version: "99" },
  ];
  expect(browserOfBrands(brands)).toEqual({ family: "opera", version: "126.0.5750.18", chromiumMajorVersion: 142 });
});

test("unknown brands identify no browser", () => {
  expect(browserOfBrands([{ brand: "Not_A Brand", version: "99" }, { brand: "constructor" }])).toBeUndefined();
});

test.each([
  ["windows", "19.0.0", "11"],
  ["windows", "13.0.0", "11"],
  ["windows", "10.0.0", "10"],
  ["windows", "1.0.0", "10"],
  ["windows", "0.3.0", "8.1"],
  ["windows", "0.1", "7"],
  ["windows", "0.0.0", undefined],
  ["macos", "15.6.1", "15.6.1"],
  ["macos", "26.0.0", "26"],
  ["android", "14.0.0", "14"],
  ["linux", "6.1.0", undefined],
  ["windows", "", undefined],
] as const)("%s with platform version %s is version %s", (family, platformVersion, version) => {
  expect(systemVersion(family, platformVersion)).toBe(version);
});

test("only known platform names are looked up", () => {
  expect([systemOfPlatform("Chrome OS"), systemOfPlatform("toString"), systemOfPlatform("")]).toEqual([
    "chromeos",
    undefined,
    undefined,
  ]);
});
