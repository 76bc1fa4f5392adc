import { expect, test } from "vitest";

import { createPace } from "./pace";

function paced() {
  const pauses: number[] = [];
  const clock = { atMs: 0 };
  const pause = createPace({
    now: () => clock.atMs,
    wait: (milliseconds) => {
      pauses.push(milliseconds);
      clock.atMs += milliseconds;
      return Promise.resolve();
    },
  });
  const work = async (milliseconds: number) => {
    clock.atMs += milliseconds;
    await pause();
  };
  return { work, pauses, clock };
}

test("work takes a quarter of the time, whatever each piece takes", async () => {
  const { work, pauses, clock } = paced();
  for (const milliseconds of [10, 0, 40, 10]) await work(milliseconds);
  expect(pauses).toEqual([30, 0, 120, 30]);
  expect(clock.atMs).toBe(4 * 60);
});

test("a piece that took minutes is followed by two seconds", async () => {
  const { work, pauses } = paced();
  await work(90_000);
  await work(10);
  expect(pauses).toEqual([2_000, 30]);
});
