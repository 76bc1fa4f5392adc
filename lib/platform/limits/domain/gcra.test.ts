import fc from "fast-check";
import { expect, test } from "vitest";

import {
  emissionMicros,
  leaseLifetimeMs,
  leaseSize,
  type Limit,
  nextLease,
  retryAfterSeconds,
  advanceTat,
} from "./gcra";

const limits = fc.record({
  name: fc.constant("test"),
  ratePerSecond: fc.constantFrom(0.5, 1, 5, 10, 50, 200),
  burst: fc.integer({ min: 1, max: 200 }),
});

test("in every window, allowed requests never exceed rate x time + burst", () => {
  fc.assert(
    fc.property(
      limits,
      fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 1, maxLength: 300 }),
      (limit, gaps) => {
        let [now, arrival] = [1_000_000_000, 0];
        const allowedAt: number[] = [];
        for (const gap of gaps) {
          now += gap;
          const next = advanceTat(limit, arrival, now);
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

test("after any clock change a busy bucket continues at its rate, and each change costs at most one burst", () => {
  const steps = fc.array(fc.integer({ min: -100_000_000, max: 100_000_000 }), { maxLength: 5 });
  fc.assert(
    fc.property(limits, steps, (limit, clockSteps) => {
      const emission = emissionMicros(limit);
      let [now, arrival, allowed, elapsed] = [1_000_000_000_000, 0, 0, 0];
      for (const clockStep of [0, ...clockSteps]) {
        now += clockStep;
        const before = allowed;
        for (let index = 0; index < 3 * limit.burst; index += 1) {
          [now, elapsed] = [now + emission, elapsed + emission];
          for (let demand = 0; demand < 3; demand += 1) {
            const next = advanceTat(limit, arrival, now);
            if (next !== undefined) [arrival, allowed] = [next, allowed + 1];
          }
        }
        expect(allowed - before).toBeGreaterThanOrEqual(2 * limit.burst);
      }
      expect(allowed).toBeLessThanOrEqual(elapsed / emission + limit.burst * (clockSteps.length + 1) + 1e-9);
    }),
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

test("after the advised wait, one request is allowed", () => {
  fc.assert(
    fc.property(limits, fc.integer({ min: 1, max: 500 }), (limit, demand) => {
      let arrival = 0;
      const now = 5_000_000;
      for (let index = 0; index < demand; index += 1) arrival = advanceTat(limit, arrival, now) ?? arrival;
      const wait = retryAfterSeconds(limit, arrival - now) * 1_000_000;
      expect(advanceTat(limit, arrival, now + wait)).toBeDefined();
    }),
  );
});

type Load = { processes: number; ratePerSecond: number; seconds: number };

/** The share refused of randomly timed requests that go to any of several processes leasing from one bucket. */
function shareRefused(limit: Limit, { processes, ratePerSecond, seconds }: Load): number {
  let seed = 7;
  // Numerical Recipes' generator, so that every run makes the same requests.
  const chance = () => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
  const shares = Array.from({ length: processes }, () => ({ permits: 0, until: 0, leased: 0, leasedAt: 0 }));
  let [now, arrival, refused] = [1_000_000_000, 0, 0];
  const takeAll = (count: number): boolean => {
    let next: number | undefined = arrival;
    for (let index = 0; index < count && next !== undefined; index += 1) next = advanceTat(limit, next, now);
    if (next !== undefined) arrival = next;
    return next !== undefined;
  };
  for (let index = 0; index < ratePerSecond * seconds; index += 1) {
    now -= (Math.log(1 - chance()) * 1_000_000) / ratePerSecond;
    const share = shares[Math.floor(chance() * processes)];
    if (!share) continue;
    if (share.permits === 0 || now > share.until) {
      const pace = { used: share.leased - share.permits, inMs: (now - share.leasedAt) / 1000 };
      const leased = [nextLease(limit, pace), 1].find((count) => takeAll(count)) ?? 0;
      Object.assign(share, { permits: leased, leased, leasedAt: now, until: now + leaseLifetimeMs(limit) * 1000 });
    }
    if (share.permits === 0) refused += 1;
    else share.permits -= 1;
  }
  return refused / (ratePerSecond * seconds);
}

test.each([
  [2, 200],
  [3, 200],
  [4, 200],
  [4, 50],
])("%i processes sharing a load of 60 %% of %i/s refuse almost nothing", (processes, rate) => {
  const limit = { name: "test", ratePerSecond: rate, burst: rate };
  expect(shareRefused(limit, { processes, ratePerSecond: 0.6 * rate, seconds: 120 })).toBeLessThan(0.001);
});
