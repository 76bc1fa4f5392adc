import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createPageBudget } from "./page-budget";
import { createPageGate } from "./page-gate";

const LIMITS = { share: 0.25, burstMs: 100, maxPageMs: 200, maxRendered: 2 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(limits = LIMITS) {
  const budget = createPageBudget(limits);
  const answer = (count: number) => {
    for (let index = 0; index < count; index += 1) budget.noteOperation();
  };
  /** Advances the clock while operations are answered. */
  const pass = (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= 25) {
      vi.advanceTimersByTime(Math.min(25, left));
      answer(1);
    }
  };
  return { budget, answer, pass };
}

test("without operations, pages never wait, however long they take", () => {
  const { budget } = open();
  for (let page = 0; page < 50; page += 1) {
    budget.begin();
    vi.advanceTimersByTime(100);
    expect(budget.waitMs()).toBe(0);
  }
});

test("under operations, pages get a burst, then their share of the time, and all of it once operations stop", () => {
  const { budget, answer, pass } = open();
  answer(30);
  const end = budget.begin();
  expect(budget.waitMs()).toBe(0);
  pass(150);
  expect(budget.waitMs()).toBeGreaterThan(0);
  end();
  const waitMs = budget.waitMs();
  pass(waitMs);
  expect(budget.waitMs()).toBe(0);
  budget.begin();
  pass(100);
  expect(budget.waitMs()).toBeGreaterThan(0);
  vi.advanceTimersByTime(3_000);
  expect(budget.waitMs()).toBe(0);
});

test("concurrent pages are limited, and a page that waits for its reader stops counting", () => {
  const { budget, answer, pass } = open({ ...LIMITS, burstMs: 10_000 });
  answer(30);
  budget.begin();
  const end = budget.begin();
  expect(budget.waitMs()).toBeGreaterThan(0);
  end();
  end();
  expect(budget.waitMs()).toBe(0);
  budget.begin();
  expect(budget.waitMs()).toBeGreaterThan(0);
  pass(LIMITS.maxPageMs);
  expect(budget.waitMs()).toBe(0);
});

test("under any load, pages use at most the burst, one page and their share of the time, and every request is served", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ client: fc.constantFrom("a", "b", "c"), tookMs: fc.integer({ min: 1, max: 150 }) }), {
        minLength: 1,
        maxLength: 40,
      }),
      async (pages) => {
        const { budget, answer, pass } = open();
        answer(30);
        const limits = { maxActive: 8, maxActivePerClient: 4, maxWaiting: 100, maxWaitingPerClient: 100 };
        const gate = createPageGate(limits, budget);
        let [inside, renderedMs, done] = [0, 0, 0];
        for (const { client, tookMs } of pages)
          void gate.enter(client).then((leave) => {
            inside += 1;
            setTimeout(() => {
              inside -= 1;
              done += 1;
              if (typeof leave !== "string") leave();
            }, tookMs);
          });
        const startedAt = performance.now();
        for (let step = 0; done < pages.length && step < 10_000; step += 1) {
          await vi.advanceTimersByTimeAsync(0);
          if (inside > 0) renderedMs += 5;
          pass(5);
          await vi.advanceTimersByTimeAsync(0);
          const passedMs = performance.now() - startedAt;
          expect(renderedMs).toBeLessThanOrEqual(LIMITS.burstMs + passedMs * LIMITS.share + 2 * 150 + 10);
        }
        expect(done).toBe(pages.length);
      },
    ),
    { numRuns: 30 },
  );
});
