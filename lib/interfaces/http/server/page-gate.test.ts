import fc from "fast-check";
import { expect, test } from "vitest";

import { createPageGate, type FullFor } from "./page-gate";

const LIMITS = { maxActive: 4, maxActivePerClient: 2, maxWaiting: 6, maxWaitingPerClient: 3 };

/** Enters the gate and records when it was admitted. */
function ask(gate: ReturnType<typeof createPageGate>, key: string, log: string[], name = key) {
  const state: { leave?: (() => void) | undefined; refusal?: FullFor } = {};
  const done = gate.enter(key).then((leave) => {
    if (typeof leave === "string") state.refusal = leave;
    else {
      state.leave = leave;
      log.push(name);
    }
  });
  return { state, done };
}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test("clients take turns: one that sends many requests waits behind its own, and is refused when its queue is full", async () => {
  const gate = createPageGate(LIMITS);
  const log: string[] = [];
  const greedy = Array.from({ length: 7 }, (_, index) => ask(gate, "greedy", log, `greedy${index}`));
  const modest = ask(gate, "modest", log);
  await settle();
  expect(log).toEqual(["greedy0", "greedy1", "modest"]);
  expect(greedy.map(({ state }) => state.refusal).slice(4)).toEqual([undefined, "client", "client"]);
  const others = ["a", "a", "a", "b", "b", "b", "c"].map((key) => ask(gate, key, log));
  await settle();
  expect(others.flatMap(({ state }) => state.refusal ?? [])).toEqual(["everybody", "everybody", "everybody"]);
  greedy[0]?.state.leave?.();
  greedy[0]?.state.leave?.();
  await settle();
  expect(log.slice(3)).toEqual(["a", "greedy2"]);
  modest.state.leave?.();
});

test("a client's prefetches wait behind its other requests, and take turns with other clients", async () => {
  const gate = createPageGate({ ...LIMITS, maxActive: 1 });
  const log: string[] = [];
  const enter = (key: string, name: string, isPrefetch: boolean) =>
    gate.enter(key, { isPrefetch }).then((leave) => {
      log.push(name);
      if (typeof leave !== "string") setImmediate(leave);
    });
  await Promise.all([
    enter("a", "a open", false),
    enter("a", "a prefetch", true),
    enter("b", "b prefetch", true),
    enter("a", "a page", false),
  ]);
  expect(log).toEqual(["a open", "a page", "b prefetch", "a prefetch"]);
});

test("active requests never exceed the limits, and every waiting request is admitted eventually", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.record({ enter: fc.constantFrom("a", "b", "c", "d") }), fc.record({ leave: fc.nat(20) })), {
        maxLength: 80,
      }),
      async (steps) => {
        const gate = createPageGate(LIMITS);
        const asked: { key: string; state: ReturnType<typeof ask>["state"] }[] = [];
        const isIn = ({ state }: { state: ReturnType<typeof ask>["state"] }) => state.leave !== undefined;
        const leave = (one: { state: ReturnType<typeof ask>["state"] } | undefined) => {
          one?.state.leave?.();
          if (one) one.state.leave = undefined;
        };
        const left = new Set<object>();
        for (const step of steps) {
          if ("enter" in step) asked.push({ key: step.enter, state: ask(gate, step.enter, []).state });
          else {
            const inside = asked.filter(isIn);
            const one = inside[step.leave % Math.max(1, inside.length)];
            if (one) left.add(one);
            leave(one);
          }
          await settle();
          const inside = asked.filter(isIn);
          expect(inside.length).toBeLessThanOrEqual(LIMITS.maxActive);
          for (const key of ["a", "b", "c", "d"])
            expect(inside.filter((one) => one.key === key).length).toBeLessThanOrEqual(LIMITS.maxActivePerClient);
        }
        for (let round = 0; round <= asked.length; round += 1) {
          for (const one of asked.filter(isIn)) {
            left.add(one);
            leave(one);
          }
          await settle();
        }
        expect(asked.filter((one) => !left.has(one) && one.state.refusal === undefined)).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});
