import fc from "fast-check";
import { expect, test } from "vitest";

import { Timings } from "@/lib/contract/signals";
import chromium from "../captures/chromium.json";
import firefox from "../captures/firefox.json";
import { NEAR_STEPS, SKETCHED, sketchOf } from "./sketch";

const runsOf = (given: readonly unknown[]) => given.map((run) => Timings.parse(run));
const isNear = (one: bigint, other: bigint) =>
  Array.from({ length: SKETCHED }, (_, at) => {
    const byteOf = (sketch: bigint) => Number((sketch >> BigInt(8 * at)) & 255n);
    return Math.abs(byteOf(one) - byteOf(other));
  }).every((steps) => steps <= NEAR_STEPS);

const sketched = (runs: readonly Timings[]) => runs.flatMap((run) => sketchOf(run) ?? []);
const RUN = {
  total: 582,
  challenge: 166,
  signals: { uaData: 18, webgl: 21, worker: 147, canvas: 59, iframe: 98, fonts: 364 },
};

const changed = ({ total, challenge, signals }: Timings, change: (ms: number) => number): Timings => ({
  total: change(total),
  challenge: change(challenge),
  signals: Object.fromEntries(Object.entries(signals).map(([name, ms]) => [name, change(ms)])),
});

test.each([
  ["Chromium", chromium],
  ["Firefox", firefox],
])("a sketch of durations: is rarely near another of %s on one idle machine", (_name, given) => {
  const sketches = sketched(runsOf(given));
  const near = sketches.flatMap((one, index) => sketches.slice(0, index).filter((other) => isNear(one, other)));
  const pairs = (sketches.length * (sketches.length - 1)) / 2;
  expect(near.length).toBeLessThanOrEqual(0.03 * pairs);
});

test("a sketch of durations: is near that of the same run with each duration changed by an eighth at most", () => {
  const factor = fc.double({ min: 0.88, max: 1.12, noNaN: true });
  fc.assert(
    fc.property(fc.infiniteStream(factor), fc.infiniteStream(factor), (one, other) => {
      const [a, b] = [one, other].map((factors) =>
        sketchOf(changed(RUN, (ms) => Math.round(ms * (factors.next().value ?? 1)))),
      );
      return a !== undefined && b !== undefined && isNear(a, b);
    }),
  );
});

test("a sketch of durations: fits a signed 64-bit number for all durations that the contract allows", () => {
  const ms = fc.nat({ max: 3_600_000 });
  fc.assert(
    fc.property(ms, ms, ms, ms, ms, (total, challenge, worker, canvas, fonts) => {
      const sketch = sketchOf({ total, challenge, signals: { worker, canvas, fonts } });
      return sketch === undefined || BigInt.asIntN(64, sketch) === sketch;
    }),
  );
});

test("a sketch of durations: does not exist for a run whose durations are mostly too short to differ", () => {
  expect(
    sketchOf({ total: 31, challenge: 28, signals: { worker: 30, iframe: 7, canvas: 2, fonts: 3 } }),
  ).toBeUndefined();
});
