import { expect, test, vi } from "vitest";

import { observeAll } from "./collect";
import { BLOCKED } from "./read";

const never = () => new Promise(() => undefined);

test("each way of failing is told apart and costs only its own group", async () => {
  const { signals, timings } = await observeAll(
    {
      good: () => 1,
      later: () => Promise.resolve("x"),
      falsy: () => false,
      missing: () => undefined,
      thrown: () => {
        throw new Error("no");
      },
      odd: () => {
        throw Object.create(null) as Error;
      },
      rejected: () => Promise.reject(new TypeError("no")),
      denied: () => {
        throw new DOMException("no", "SecurityError");
      },
      blocked: () => Promise.reject(BLOCKED),
      hanging: never,
    },
    5,
  );

  expect(signals).toEqual({
    good: { state: "ok", value: 1 },
    later: { state: "ok", value: "x" },
    falsy: { state: "ok", value: false },
    missing: { state: "absent" },
    thrown: { state: "error" },
    odd: { state: "error" },
    rejected: { state: "error" },
    denied: { state: "blocked" },
    blocked: { state: "blocked" },
    hanging: { state: "timeout" },
  });
  expect(Object.keys(timings).sort()).toEqual(Object.keys(signals).sort());
});

test("a signal that waits does not hold up the next one", async () => {
  const order: string[] = [];
  let release = (): void => undefined;
  await observeAll({
    slow: () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }).then(() => order.push("slow")),
    quick: () => {
      order.push("quick");
      release();
    },
  });

  expect(order).toEqual(["quick", "slow"]);
});

test("a signal that fails after it was given up is no unhandled rejection", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  let fail = (): void => undefined;
  await observeAll(
    {
      late: () =>
        new Promise((_resolve, reject) => {
          fail = () => {
            reject(new Error("late"));
          };
        }),
    },
    1,
  );
  fail();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", unhandled);

  expect(unhandled).not.toHaveBeenCalled();
});
