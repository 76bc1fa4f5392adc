import { expect, onTestFinished, test, vi } from "vitest";

import { collectWhenIdle, isCollectionDue, readHeldBytes } from "./idle-heap";

const MIB = 1024 ** 2;

test("a heap is due when its process is idle and it has grown, not while there is work", () => {
  const grown = { utilization: 0.01, heldBytes: 200 * MIB, leastBytes: 100 * MIB };
  expect(isCollectionDue(grown)).toBe(true);
  expect(isCollectionDue({ ...grown, utilization: 0.2 })).toBe(false);
  expect(isCollectionDue({ ...grown, heldBytes: 150 * MIB })).toBe(false);
});

/** Objects that survive the collections of new ones, so that only one of the whole heap frees them. */
function makeOldObjects(count: number): { text: string }[] {
  return Array.from({ length: count }, (_, index) => ({ text: `old ${index}` }));
}

test("a process gives back what a burst of load has left, and keeps what is in use", { timeout: 70_000 }, async () => {
  // Beside the other tests a process is never as idle as a service at night.
  onTestFinished(collectWhenIdle({ intervalMs: 100, maxUtilization: 1 }));
  const kept = makeOldObjects(1_000);
  let burst: { text: string }[] | undefined = makeOldObjects(3_000_000);
  const filledBytes = readHeldBytes();
  expect(burst).toHaveLength(3_000_000);
  burst = undefined;

  await vi.waitFor(
    () => {
      expect(filledBytes - readHeldBytes()).toBeGreaterThan(100 * MIB);
    },
    { timeout: 60_000, interval: 500 },
  );

  expect(kept.at(-1)).toEqual({ text: "old 999" });
});
