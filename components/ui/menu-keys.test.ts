import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { indexFor } from "./menu-keys";

const NAMES = ["Rotate…", "Rename…", " Revoke…", "Delete"];

describe("keyboard control of a menu", () => {
  test("arrows wrap around, start at the nearest end, and Home and End go to the ends", () => {
    expect(["ArrowDown", "ArrowUp"].map((key) => indexFor(key, NAMES, -1))).toEqual([0, 3]);
    expect([0, 3].map((current) => indexFor("ArrowDown", NAMES, current))).toEqual([1, 0]);
    expect([0, 3].map((current) => indexFor("ArrowUp", NAMES, current))).toEqual([3, 2]);
    expect(["Home", "End"].map((key) => indexFor(key, NAMES, 2))).toEqual([0, 3]);
  });

  test("a letter finds the next item that starts with it, or the current one when it is the only match", () => {
    expect([-1, 0, 1, 2, 3].map((current) => indexFor("r", NAMES, current))).toEqual([0, 1, 2, 0, 0]);
    expect(indexFor("D", NAMES, 3)).toBe(3);
    expect(indexFor("x", NAMES, 0)).toBeUndefined();
  });

  test("no key moves the focus out of the menu, and other keys do nothing", () => {
    const key = fc.oneof(fc.constantFrom("ArrowDown", "ArrowUp", "Home", "End"), fc.string({ maxLength: 2 }));
    const place = fc
      .array(fc.string())
      .chain((names) => fc.tuple(fc.constant(names), fc.integer({ min: -1, max: names.length - 1 })));
    fc.assert(
      fc.property(key, place, (pressed, [names, current]) => {
        const index = indexFor(pressed, names, current);
        expect(index === undefined || (index >= 0 && index < names.length)).toBe(true);
      }),
    );
    expect([" ", "Tab", "Escape", "Enter"].map((pressed) => indexFor(pressed, NAMES, 0))).toEqual(
      Array(4).fill(undefined),
    );
    expect(indexFor("ArrowDown", [], -1)).toBeUndefined();
  });
});
