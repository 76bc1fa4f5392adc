import { setImmediate as nextTurn } from "node:timers/promises";

import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";

import { createBatcher } from "./batcher";

type Item = { value: number; key?: string; group?: string };

/** A batcher whose batches wait until they are released; results are the items' values, doubled. */
function setUp({ maxItems = 8, isTogether = true }: { maxItems?: number; isTogether?: boolean } = {}) {
  const batches: number[][] = [];
  const releases: (() => void)[] = [];
  const add = createBatcher<Item, number>({
    maxItems,
    groupOf: ({ group = "" }) => group,
    keysOf: ({ key }) => (key === undefined ? [] : [key]),
    async run(items) {
      batches.push(items.map(({ value }) => value));
      await new Promise<void>((resolve) => releases.push(resolve));
      if (items.some(({ value }) => value < 0)) throw new Error("negative");
      return isTogether || items.length === 1 ? items.map(({ value }) => value * 2) : "retryIndividually";
    },
  });
  const release = async () => {
    for (const resolve of releases.splice(0)) resolve();
    await nextTurn();
    // The next batch starts in a turn of its own.
    await nextTurn();
  };
  return { add, batches, release };
}

test("a single item runs at once; those that arrive meanwhile run together, in order", async () => {
  const { add, batches, release } = setUp();
  const first = add({ value: 1 });
  await nextTurn();
  const others = [add({ value: 2 }), add({ value: 3 })];
  expect(batches).toEqual([[1]]);
  await release();
  await release();
  expect(await Promise.all([first, ...others])).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1], [2, 3]]);
});

/** A clock that stands still unless it is advanced. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

test("after a batch of several items the next one waits for more, for twice its time, unless it is full", async () => {
  stopClock();
  const { add, batches, release } = setUp({ maxItems: 3 });
  const all = [add({ value: 1 }), add({ value: 2 })];
  await nextTurn();
  vi.advanceTimersByTime(5);
  await release();
  all.push(add({ value: 3 }));
  vi.advanceTimersByTime(9);
  await nextTurn();
  expect(batches).toEqual([[1, 2]]);
  all.push(add({ value: 4 }));
  vi.advanceTimersByTime(1);
  const pairs = [
    [1, 2],
    [3, 4],
  ];
  expect(batches).toEqual(pairs);
  vi.advanceTimersByTime(5);
  await release();
  for (const value of [5, 6, 7]) all.push(add({ value }));
  await nextTurn();
  expect(batches).toEqual([...pairs, [5, 6, 7]]);
  await release();
  expect(await Promise.all(all)).toEqual([2, 4, 6, 8, 10, 12, 14]);
});

test("after a batch of one item the next one does not wait", async () => {
  stopClock();
  const { add, batches, release } = setUp();
  const first = add({ value: 1 });
  await nextTurn();
  vi.advanceTimersByTime(5);
  await release();
  const second = add({ value: 2 });
  await nextTurn();
  expect(batches).toEqual([[1], [2]]);
  await release();
  expect(await Promise.all([first, second])).toEqual([2, 4]);
});

test("items behind a blocked batch are run after 10 ms, not when it ends", async () => {
  const { add, batches, release } = setUp();
  const blocked = add({ value: 1 });
  await nextTurn();
  const second = add({ value: 2 });
  await expect.poll(() => batches).toEqual([[1], [2]]);
  await release();
  expect(await Promise.all([blocked, second])).toEqual([2, 4]);
});

test("items of different groups do not wait for each other, and those that share a key are not run together", async () => {
  const { add, batches, release } = setUp();
  const all = [
    add({ value: 1, key: "a" }),
    add({ value: 2, key: "a" }),
    add({ value: 3, key: "b" }),
    add({ value: 4, group: "other" }),
  ];
  await nextTurn();
  expect(batches).toEqual([[1, 3], [4]]);
  await release();
  await expect.poll(() => batches).toEqual([[1, 3], [4], [2]]);
  await release();
  expect(await Promise.all(all)).toEqual([2, 4, 6, 8]);
});

test("a batch that cannot run together is run one by one, and only the items that fail then are rejected", async () => {
  const { add, batches, release } = setUp({ isTogether: false });
  const all = [1, 2, 3].map((value) => add({ value }));
  await nextTurn();
  await release();
  await release();
  expect(await Promise.all(all)).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
});

test("a batch that fails rejects its items, and the next one runs", async () => {
  const { add, batches, release } = setUp();
  const failed = [add({ value: 1 }), add({ value: -1 })];
  const settled = Promise.allSettled(failed);
  await nextTurn();
  const next = add({ value: 5 });
  await release();
  await expect.poll(() => batches).toEqual([[1, -1], [5]]);
  await release();
  expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await next).toBe(10);
});

test("every item gets its own result, whatever the keys, groups and sizes", async () => {
  const item = fc.record({
    value: fc.nat(),
    key: fc.constantFrom("a", "b", "c", "d"),
    group: fc.constantFrom("x", "y"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), async (items, maxItems) => {
      const add = createBatcher<Item, number>({
        maxItems,
        groupOf: ({ group = "" }) => group,
        keysOf: ({ key = "" }) => [key],
        async run(batch) {
          await nextTurn();
          expect(batch.length).toBeLessThanOrEqual(maxItems);
          expect(new Set(batch.map(({ key }) => key)).size).toBe(batch.length);
          expect(new Set(batch.map(({ group }) => group)).size).toBe(1);
          return batch.map(({ value }) => value);
        },
      });
      expect(await Promise.all(items.map(add))).toEqual(items.map(({ value }) => value));
    }),
  );
});
