import { expect, onTestFinished, test, vi } from "vitest";

import { collectWhenIdle, isCollectionDue, readHeldBytes } from "./idle-heap";

const MIB = 1024 ** 2;

test("a collection is due when the process is idle and its heap has grown, not while it is busy", () => {
  const grown = { utilization: 0.01, heldBytes: 200 * MIB, leastBytes: 100 * MIB };
  expect(isCollectionDue(grown)).toBe(true);
  expect(isCollectionDue({ ...grown, utilization: 0.2 })).toBe(false);
  expect(isCollectionDue({ ...grown, heldBytes: 150 * MIB })).toBe(false);
});

/** Objects that survive minor collections, so that only a full collection frees them. */
function makeOldObjects(count: number): { text: string }[] {
  return Array.from({ length: count }, (_, index) => ({ text: `old ${index}` }));
}

test("an idle process returns the memory of a load burst, and keeps objects in use", { timeout: 70_000 }, async () => {
  // With other tests running, a process is never as idle as a service at night.
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
