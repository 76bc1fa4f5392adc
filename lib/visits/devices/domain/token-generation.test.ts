import fc from "fast-check";
import { expect, test } from "vitest";

import { evaluateGeneration, reusedTokenFinding, type TokenUse } from "./token-generation";

const DAY_SECONDS = 86_400;

/** A token's row over time, updated as the SQL statements do. */
function createRow() {
  const row = {
    generation: 0,
    presentedAt: undefined as number | undefined,
    offeredOn: 0,
    reusedAt: undefined as number | undefined,
  };
  const since = (at: number | undefined, now: number) => (at === undefined ? null : now - at);
  const useAt = (now: number): TokenUse => ({
    generation: row.generation,
    newestSeconds: since(row.presentedAt, now),
    reusedSeconds: since(row.reusedAt, now),
    isDue: row.offeredOn < Math.floor(now / DAY_SECONDS),
    isOffered: row.offeredOn > 0 && row.offeredOn === Math.floor(now / DAY_SECONDS),
  });
  return {
    row,
    visit(presented: number, now: number) {
      const assessed = evaluateGeneration(presented, useAt(now));
      const { turn } = assessed;
      if (turn && turn.generation > row.generation)
        Object.assign(row, { generation: turn.generation, presentedAt: now });
      if (turn?.isOffered) row.offeredOn = Math.floor(now / DAY_SECONDS);
      if (turn?.isReused) row.reusedAt = now;
      return assessed;
    },
  };
}

const waits = fc.array(fc.record({ seconds: fc.integer({ min: 1, max: 3 * DAY_SECONDS }), isLost: fc.boolean() }), {
  minLength: 2,
  maxLength: 40,
});

test("token generations: a browser that keeps its latest token is never reported, however many answers are lost", () => {
  fc.assert(
    fc.property(waits, (steps) => {
      const token = createRow();
      let [now, held] = [0, 0];
      for (const { seconds, isLost } of steps) {
        now += seconds;
        const { isCopied, next } = token.visit(held, now);
        expect(isCopied).toBe(false);
        if (!isLost && next !== undefined) held = next;
      }
    }),
  );
});

test("token generations: a browser that keeps its first token forever, as component 0.1.0 does, is never reported", () => {
  fc.assert(
    fc.property(waits, (steps) => {
      const token = createRow();
      let now = 0;
      for (const { seconds } of steps) expect(token.visit(0, (now += seconds)).isCopied).toBe(false);
    }),
  );
});

test("token generations: the next generation is offered at most once a day, and not on the day on which the token was created", () => {
  fc.assert(
    fc.property(waits, (steps) => {
      const token = createRow();
      const days = new Map<number, number>();
      let [now, held] = [0, 0];
      for (const { seconds, isLost } of steps) {
        now += seconds;
        const { next, turn } = token.visit(held, now);
        const day = Math.floor(now / DAY_SECONDS);
        if (turn?.isOffered) days.set(day, (days.get(day) ?? 0) + 1);
        if (!isLost && next !== undefined) held = next;
      }
      expect(Math.max(0, ...days.values())).toBeLessThanOrEqual(1);
      expect(days.has(0)).toBe(false);
    }),
  );
});

test("token generations: two copies in daily use are reported from the third day on, for both sides, whoever comes first and whoever was copied", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.array(fc.boolean(), { minLength: 4, maxLength: 20 }),
      (age, order) => {
        const token = createRow();
        let owner = 0;
        for (let day = 0; day < age; day += 1) owner = token.visit(owner, day * DAY_SECONDS + 1).next ?? owner;
        const held = { owner, thief: owner };
        const found: boolean[] = [];
        order.forEach((isOwnerFirst, index) => {
          const morning = (age + index) * DAY_SECONDS + 1;
          const sides = isOwnerFirst ? (["owner", "thief"] as const) : (["thief", "owner"] as const);
          // Each side visits twice a day and presents the latest token it received.
          [sides[0], sides[0], sides[1], sides[1]].forEach((side, at) => {
            const { isCopied, next } = token.visit(held[side], morning + at * 3_000);
            if (next !== undefined) held[side] = next;
            if (index >= 2) found.push(isCopied);
          });
        });
        expect(found.every(Boolean)).toBe(true);
      },
    ),
  );
});

test("token generations: pages that loaded together may present the previous generation for five minutes, but no older one", () => {
  const use = { generation: 3, newestSeconds: 299, isDue: false, isOffered: true, reusedSeconds: null };
  expect(evaluateGeneration(2, use)).toMatchObject({ isCopied: false, turn: undefined, next: 3 });
  expect(evaluateGeneration(1, use)).toMatchObject({ isCopied: true, turn: { isReused: true }, next: 3 });
  expect(evaluateGeneration(2, { ...use, newestSeconds: 300 })).toMatchObject({ isCopied: true, next: 3 });
});

test("token generations: a report of reuse ends two days after the last reuse; ongoing reuse is recorded hourly", () => {
  const use = { generation: 3, newestSeconds: 9e5, isDue: false, isOffered: true };
  expect(evaluateGeneration(3, { ...use, reusedSeconds: 48 * 3600 - 1 })).toMatchObject({
    isCopied: true,
    turn: undefined,
  });
  expect(evaluateGeneration(3, { ...use, reusedSeconds: 48 * 3600 })).toMatchObject({ isCopied: false });
  expect(evaluateGeneration(1, { ...use, reusedSeconds: 60 }).turn).toBeUndefined();
  expect(evaluateGeneration(1, { ...use, reusedSeconds: 3600 }).turn).toMatchObject({ isReused: true });
});

test("token generations: a lost answer's token is returned again to the same submission and to no other", () => {
  const use = { generation: 0, newestSeconds: null, isDue: false, isOffered: true, reusedSeconds: null };
  expect(evaluateGeneration(0, use)).toMatchObject({ next: undefined, nextAgain: 1 });
  expect(evaluateGeneration(0, { ...use, isOffered: false })).toMatchObject({
    next: undefined,
    nextAgain: undefined,
  });
});

test("token generations: the finding says which side presented the older state", () => {
  const use = { generation: 3, newestSeconds: 9e5, isDue: false, isOffered: true, reusedSeconds: 5 };
  expect(reusedTokenFinding(1, use).compared).toEqual([
    { label: "Token, this visit", value: "renewed once", isOdd: true },
    { label: "Token, newest state seen", value: "renewed 3 times", isOdd: false },
  ]);
  expect(reusedTokenFinding(3, use).compared[0]?.isOdd).toBe(false);
});
