import fc from "fast-check";
import { expect, test } from "vitest";

import { findBursts } from "./bursts";

const HOURS = 5 * 168;
const options = { recent: 48, firstHour: 0 };
const flat = (value: number) => Array.from({ length: HOURS }, () => value);

test("twelve visits in normally empty hours are one burst, spanning the hours that they took", () => {
  const counts = flat(0);
  counts[HOURS - 31] = 5;
  counts[HOURS - 30] = 7;
  expect(findBursts([{ kind: "a", counts }], options)).toEqual([
    expect.objectContaining({ kind: "a", from: HOURS - 31, to: HOURS - 29, visits: 12 }),
  ]);
});

test("an attack that begins in the last minutes of an hour or ends in the first ones of the next is one whole burst", () => {
  for (const [before, after] of [
    [1, 11],
    [11, 1],
  ] as const) {
    const counts = flat(0);
    counts[HOURS - 31] = before;
    counts[HOURS - 30] = after;
    expect(findBursts([{ kind: "a", counts }], options)).toMatchObject([
      { from: HOURS - 31, to: HOURS - 29, visits: 12 },
    ]);
  }
});

test("an hour that is busy every week is usual; the same hour on a normally quiet day is not", () => {
  const counts = flat(10);
  for (let hour = HOURS - 20; hour > 0; hour -= 168) counts[hour] = 100;
  expect(findBursts([{ kind: "a", counts }], options)).toEqual([]);
  counts[HOURS - 10] = 100;
  expect(findBursts([{ kind: "a", counts }], options)).toMatchObject([
    { from: HOURS - 10, to: HOURS - 9, visits: 100 },
  ]);
});

test("four visits, normal day-to-day growth and a workspace that is a few hours old have no bursts", () => {
  const few = flat(0);
  few[HOURS - 3] = 4;
  const growing = flat(1000).map((value, hour) => (hour > HOURS - 40 ? value * 1.5 : value));
  expect(
    findBursts(
      [
        { kind: "few", counts: few },
        { kind: "growing", counts: growing },
      ],
      options,
    ),
  ).toEqual([]);
  const fresh = flat(0);
  fresh[HOURS - 1] = 50;
  expect(findBursts([{ kind: "a", counts: fresh }], { recent: 48, firstHour: HOURS - 49 })).toEqual([]);
});

test("bursts always lie within the newest hours, do not overlap, and state their visits correctly", () => {
  const some = fc.array(fc.nat(60), { minLength: 100, maxLength: 300 });
  fc.assert(
    fc.property(some, (counts) => {
      const found = findBursts([{ kind: "a", counts }], options).sort((a, b) => a.from - b.from);
      for (const [index, burst] of found.entries()) {
        expect(burst.from).toBeGreaterThanOrEqual(counts.length - 48);
        expect(burst.to).toBeLessThanOrEqual(found[index + 1]?.from ?? counts.length);
        const inside = counts.slice(burst.from, burst.to).reduce((sum, count) => sum + count, 0);
        expect(burst.visits).toBe(inside);
        expect(burst.visits).toBeGreaterThanOrEqual(5);
      }
    }),
  );
});
