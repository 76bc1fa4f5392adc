import { expect, test, vi } from "vitest";

import { log } from "@/lib/platform/log";
import { createStopper } from "./stopper";

const hangs = () => new Promise<never>(() => undefined);

/** A stopper with steps that record their end, in the order in which they are opened. */
function setUp(stopMs?: number) {
  const stopper = createStopper(stopMs);
  const closed: string[] = [];
  const step = (name: string, timeoutMs = 60_000, close: () => unknown = () => undefined) => ({
    ...{ name, timeoutMs },
    async close() {
      await close();
      closed.push(name);
    },
  });
  const late: Record<string, number> = {};
  const warned = vi.spyOn(log, "warn").mockImplementation((fields: unknown) => {
    const { step: name, timeoutMs } = fields as { step: string; timeoutMs: number }; // as `closeOne` gives them
    late[name] = timeoutMs;
  });
  return {
    stopper,
    closed,
    step,
    late,
    stop: () =>
      stopper.stop(Promise.resolve()).finally(() => {
        warned.mockRestore();
      }),
  };
}

test("what was opened last is closed first, and steps given together at the same time", async () => {
  const { stopper, closed, step, stop } = setUp();
  stopper.onStop(step("database"));
  let go = (): void => undefined;
  const waiting = new Promise<void>((resolve) => {
    go = resolve;
  });
  stopper.onStop(
    step("counts", 60_000, () => waiting),
    step("uses", 60_000, () => {
      go();
    }),
  );
  stopper.onStop(step("listener"));
  await stop();
  expect([closed[0], closed.slice(1, 3).sort(), closed[3]]).toEqual(["listener", ["counts", "uses"], "database"]);
});

test("a step that fails or hangs does not keep the others from being closed", async () => {
  const failed = vi.spyOn(log, "error").mockImplementation(() => undefined);
  const { stopper, closed, step, late, stop } = setUp();
  stopper.onStop(step("database"));
  stopper.onStop(step("hangs", 20, hangs));
  stopper.onStop(step("fails", 20, () => Promise.reject(new Error("no"))));
  await stop();
  failed.mockRestore();
  expect(closed).toEqual(["database"]);
  expect(late).toEqual({ hangs: 20 });
});

test("however many steps hang, the whole stop ends in time, with the time that is reserved for the last one", async () => {
  const { stopper, closed, step, late, stop } = setUp(1_500);
  stopper.onStop({ ...step("server", 60_000, hangs), reservedMs: 800 });
  stopper.onStop(step("counts", 60_000, hangs), step("uses", 60_000, hangs));
  stopper.onStop(step("requests", 60_000, hangs));
  const startedAt = performance.now();
  await stop();
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(closed).toEqual([]);
  expect(late["requests"]).toBeLessThanOrEqual(700);
  expect([late["counts"], late["uses"]]).toEqual([500, 500]);
  expect(late["server"]).toBeGreaterThanOrEqual(500);
});
