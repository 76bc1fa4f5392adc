import { expect, test } from "vitest";

import { createChance } from "@/lib/operations/demo/domain/chance";
import { exactInterval, measure } from "./measure";

const SIMULATIONS = 2_000;

/** How often the interval contains the true share, with a `noise` share of labels inverted. */
function coverage(truth: number, cases: number, noise: number): number {
  const random = createChance(cases * 1_000 + truth * 100).next;
  const measuredTruth = truth * (1 - noise) + (1 - truth) * noise;
  let held = 0;
  for (let run = 0; run < SIMULATIONS; run += 1) {
    let fraud = 0;
    for (let visit = 0; visit < cases; visit += 1) fraud += Number(random() < truth !== random() < noise);
    const { low, high } = measure(fraud, { visits: cases, devices: cases }) ?? { low: 1, high: 0 };
    if (low <= measuredTruth && measuredTruth <= high) held += 1;
  }
  return held / SIMULATIONS;
}

test.each([
  [0.9, 20, 0],
  [0.5, 10, 0],
  [0.99, 50, 0],
  [0.02, 60, 0],
  [0.9, 40, 0.05],
  [0.97, 200, 0.1],
])(
  "a precision of %s measured on %s devices with %s of the labels wrong lies in its interval",
  (truth, cases, noise) => {
    expect(coverage(truth, cases, noise)).toBeGreaterThan(0.945);
  },
);

test("wrong labels change the measured share by at most their own share", () => {
  const clean = measure(950, { visits: 1_000, devices: 1_000 });
  const noisy = measure(950 - 50, { visits: 1_000, devices: 1_000 });
  expect((clean?.share ?? 0) - (noisy?.share ?? 0)).toBeCloseTo(0.05);
});

test("a device with a hundred visits proves no more than one with a single visit", () => {
  const many = measure(100, { visits: 100, devices: 1 });
  const once = measure(1, { visits: 1, devices: 1 });
  expect(many).toMatchObject({ share: 1, low: once?.low, high: 1 });
  expect(many?.low).toBeLessThan(0.05);
});

test("there is no claim without cases, and intervals are exact", () => {
  expect(measure(0, { visits: 0, devices: 0 })).toBeUndefined();
  expect(exactInterval(0, 0)).toEqual({ low: 0, high: 1 });
  // Against the figures of Newcombe (1998), table I, method 5: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
  for (const [hits, cases, low, high] of [
    [81, 263, 0.2527, 0.3676],
    [15, 148, 0.0578, 0.1617],
    [0, 20, 0, 0.1684],
    [1, 29, 0.0009, 0.1776],
  ] as const) {
    const found = exactInterval(hits, cases);
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  }
  const many = exactInterval(4_900, 5_000);
  expect([many.low < 0.98, many.high > 0.98, many.high - many.low < 0.01]).toEqual([true, true, true]);
});
