import fc from "fast-check";
import { expect, test } from "vitest";

import { emissionMicros, leaseSize, type Limit, retryAfterSeconds, stepArrival } from "./gcra";

const limits = fc.record({
  name: fc.constant("test"),
  ratePerSecond: fc.constantFrom(0.5, 1, 5, 10, 50, 200),
  burst: fc.integer({ min: 1, max: 200 }),
});

test("in every window, what is allowed never exceeds rate x time + burst", () => {
  fc.assert(
    fc.property(
      limits,
      fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 1, maxLength: 300 }),
      (limit, gaps) => {
        let [now, arrival] = [1_000_000_000, 0];
        const allowedAt: number[] = [];
        for (const gap of gaps) {
          now += gap;
          const next = stepArrival(limit, arrival, now);
          if (next === undefined) continue;
          arrival = next;
          allowedAt.push(now);
        }
        for (const [index, start] of allowedAt.entries()) {
          const inWindow = allowedAt.length - index;
          const elapsed = now - start;
          expect(inWindow).toBeLessThanOrEqual(elapsed / emissionMicros(limit) + limit.burst + 1e-9);
        }
      },
    ),
  );
});

test("a lease is at most a tenth of a second's rate and leaves room in the burst", () => {
  fc.assert(
    fc.property(limits, (limit: Limit) => {
      const permits = leaseSize(limit);
      expect(permits).toBeGreaterThanOrEqual(1);
      expect(permits === 1 || permits <= limit.ratePerSecond / 10).toBe(true);
    }),
  );
});

test("after the advised wait one request is allowed", () => {
  fc.assert(
    fc.property(limits, fc.integer({ min: 1, max: 500 }), (limit, demand) => {
      let arrival = 0;
      const now = 5_000_000;
      for (let index = 0; index < demand; index += 1) arrival = stepArrival(limit, arrival, now) ?? arrival;
      const wait = retryAfterSeconds(limit, arrival - now) * 1_000_000;
      expect(stepArrival(limit, arrival, now + wait)).toBeDefined();
    }),
  );
});
