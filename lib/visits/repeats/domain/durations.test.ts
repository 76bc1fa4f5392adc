import fc from "fast-check";
import { expect, test } from "vitest";

import { SIGNAL_NAMES } from "@/lib/contract/signal-lists";
import { Timings } from "@/lib/contract/signals";
import chromium from "../captures/chromium.json";
import firefox from "../captures/firefox.json";
import resisting from "../captures/firefox-resist-fingerprinting.json";
import { clockStepMs, describeDurations } from "./durations";

const describeAll = (runs: readonly unknown[]) => runs.map((run) => describeDurations(Timings.parse(run)));

const anyTimings: fc.Arbitrary<Timings> = fc.record({
  total: fc.nat({ max: 3_600_000 }),
  challenge: fc.nat({ max: 3_600_000 }),
  signals: fc.dictionary(fc.constantFrom(...SIGNAL_NAMES), fc.nat({ max: 5_000 })),
});

/** Share of pairs of runs in which all selected durations are equal. */
function collisions(runs: readonly Timings[], names: readonly string[]): number {
  const values = runs.map(({ challenge, signals }) => new Map(Object.entries({ challenge, ...signals })));
  let equal = 0;
  values.forEach((one, index) => {
    for (const other of values.slice(0, index))
      equal += Number(names.every((name) => one.get(name) === other.get(name)));
  });
  return equal;
}

test.each([
  ["Chromium", 14, chromium],
  ["Firefox", 9, firefox],
])(
  "durations of a visit: of 20 real visits of %s on one idle machine are all different, with at least %i bits each",
  (_, least, runs) => {
    const described = describeAll(runs);
    expect(new Set(described.map(({ groups }) => groups)).size).toBe(runs.length);
    expect(Math.min(...described.map(({ groupBits }) => groupBits))).toBeGreaterThan(least);
  },
);

test("durations of a visit: prove nothing if the browser hides time, in steps of a sixtieth or a tenth of a second", () => {
  expect(describeAll(resisting).filter(({ groups }) => groups !== undefined)).toEqual([]);
  const tor = { total: 600, challenge: 300, signals: { worker: 400, canvas: 200, audio: 100 } };
  expect(describeDurations(tor)).toMatchObject({ groups: undefined, run: undefined });
  expect(clockStepMs([600, 300, 400, 200, 100])).toBe(100);
});

test.each([
  ["Chromium", chromium],
  ["Firefox", firefox],
])("durations of a visit: are estimated to differ by no more bits than those measured for %s", (_name, given) => {
  const runs = given.map((run) => Timings.parse(run));
  const pairs = (runs.length * (runs.length - 1)) / 2;
  const names = ["challenge", ...SIGNAL_NAMES];
  fc.assert(
    fc.property(fc.subarray(names, { minLength: 2, maxLength: 5 }), (chosen) => {
      const bits = (run: Timings) =>
        chosen.reduce((sum, name) => {
          const duration = new Map(Object.entries({ challenge: run.challenge, ...run.signals })).get(name) ?? 0;
          return sum + Math.log2(1 + 0.4 * duration);
        }, 0);
      const mean = runs.reduce((sum, run) => sum + bits(run), 0) / runs.length;
      // Over 190 pairs, this excess is beyond chance.
      expect(collisions(runs, chosen)).toBeLessThanOrEqual(5 * (1 + pairs * 2 ** -mean));
    }),
  );
});

test("durations of a visit: never lose bits as durations grow, whatever is sent", () => {
  fc.assert(
    fc.property(anyTimings, (timings) => {
      const { groupBits, runBits, groups, run } = describeDurations(timings);
      expect(groupBits).toBeGreaterThanOrEqual(0);
      expect(runBits).toBeGreaterThanOrEqual(groupBits);
      expect(groups === undefined).toBe(run === undefined);
      expect(clockStepMs(Object.values(timings.signals))).toBeGreaterThan(0);
    }),
  );
});

test("durations of a visit: do not depend on their order, and differ if any one differs", () => {
  const signals = { worker: 121, audio: 18, canvas: 8, webgl: 9, iframe: 23, fonts: 15, storage: 7 };
  const timings = { total: 139, challenge: 135, signals };
  const reversed = Object.fromEntries(Object.entries(signals).reverse());
  const described = describeDurations(timings);
  expect(describeDurations({ ...timings, signals: reversed })).toEqual(described);
  expect(describeDurations({ ...timings, total: 140 })).toMatchObject({ groups: described.groups });
  expect(describeDurations({ ...timings, total: 140 }).run).not.toBe(described.run);
  expect(describeDurations({ ...timings, signals: { ...signals, fonts: 16 } }).groups).not.toBe(described.groups);
});

test("durations of a visit: have finer steps if the browser's clock does", () => {
  expect(clockStepMs([12.3, 4.5])).toBe(0.1);
  expect(clockStepMs([12, 7])).toBe(1);
  expect(clockStepMs([17, 33, 50, 67])).toBeCloseTo(16.67);
  expect(clockStepMs([])).toBeGreaterThan(1);
});
