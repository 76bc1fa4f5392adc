import { expect, test } from "vitest";

import { oncePerRun, onceUnlessFailed } from "./share-runs";

test("calls during a run share it, and the next call starts another", async () => {
  let runs = 0;
  const run = oncePerRun(() => Promise.resolve((runs += 1)));
  expect(await Promise.all([run(), run()])).toEqual([1, 1]);
  expect(await run()).toBe(2);
});

test("a result is kept, but not a failure", async () => {
  let reads = 0;
  const read = onceUnlessFailed(() =>
    (reads += 1) === 1 ? Promise.reject(new Error("not yet")) : Promise.resolve(reads),
  );
  await expect(Promise.all([read(), read()])).rejects.toThrow("not yet");
  expect([await read(), await read()]).toEqual([2, 2]);
});
