import { expect, test } from "vitest";

import { eachInTurn } from "./each-in-turn";

const { signal } = new AbortController();
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Processes the numbers, failing those for which `broken` is true. Returns the items tried, and the error or count. */
async function run(count: number, broken: (item: number) => boolean, stop: AbortSignal = signal) {
  const tried: number[] = [];
  const ended = await eachInTurn(range(count), stop, (item) => {
    tried.push(item);
    return broken(item) ? Promise.reject(new Error(`item ${item}`)) : Promise.resolve();
  }).catch((error: unknown) => error);
  return { tried, ended };
}

test("every item is processed, in order", async () => {
  expect(await run(3, () => false)).toEqual({ tried: [0, 1, 2], ended: 3 });
  expect(await run(0, () => false)).toEqual({ tried: [], ended: 0 });
});

test("a failing item does not stop the rest, and the first failure is thrown at the end", async () => {
  expect(await run(100, (item) => item % 5 < 4)).toEqual({ tried: range(100), ended: new Error("item 0") });
});

test("it stops after ten failures in a row instead of trying every item", async () => {
  expect(await run(100, () => true)).toEqual({ tried: range(10), ended: new Error("item 0") });
  expect((await run(100, (item) => item >= 50)).tried).toEqual(range(60));
});

test("it stops between two items when aborted", async () => {
  const stop = new AbortController();
  const { tried, ended } = await run(
    10,
    (item) => {
      if (item === 3) stop.abort();
      return false;
    },
    stop.signal,
  );
  expect([tried, ended]).toEqual([[0, 1, 2, 3], 4]);
});

test("items may be streamed, and a failing source is reported", async () => {
  async function* pages() {
    yield* [1, 2];
    await Promise.resolve();
    throw new Error("the source");
  }
  const done: number[] = [];
  await expect(eachInTurn(pages(), signal, (item) => Promise.resolve(done.push(item)))).rejects.toThrow("the source");
  expect(done).toEqual([1, 2]);
});
