import { randomUUID } from "node:crypto";

import { expect, test } from "vitest";

import { connect } from "@/db/client";
import { createTestDatabase } from "@/db/testing";
import { usableBurst } from "./domain/gcra";
import { rateLimitHeaders } from "./headers";
import { takePermit } from "./take-permit";

const { db } = await createTestDatabase();

const slow = { name: "slow", ratePerSecond: 0.01, burst: 7 };

test("50 parallel requests get exactly the burst", async () => {
  const subject = randomUUID();
  const decisions = await Promise.all(Array.from({ length: 50 }, () => takePermit(db, slow, subject, "closed")));
  expect(decisions.filter((decision) => decision.allowed)).toHaveLength(slow.burst);
});

test("a limit with leases never lets more than its burst through at once, and at least nine tenths of it", async () => {
  const fast = { name: "fast", ratePerSecond: 50, burst: 50 };
  const subject = randomUUID();
  const startedAt = performance.now();
  const decisions = await Promise.all(Array.from({ length: 200 }, () => takePermit(db, fast, subject, "closed")));
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  const allowed = decisions.filter((decision) => decision.allowed).length;
  expect(allowed).toBeLessThanOrEqual(fast.burst + fast.ratePerSecond * elapsedSeconds);
  expect(allowed).toBeGreaterThanOrEqual(usableBurst(fast));
  expect(usableBurst(fast)).toBeGreaterThanOrEqual(0.9 * fast.burst);
});

test("subjects do not share a bucket", async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  for (let index = 0; index < slow.burst; index += 1) await takePermit(db, slow, first, "closed");
  expect((await takePermit(db, slow, first, "closed")).allowed).toBe(false);
  expect((await takePermit(db, slow, second, "closed")).allowed).toBe(true);
});

test("a refusal says when to come back, in the headers too", async () => {
  const subject = randomUUID();
  for (let index = 0; index < slow.burst; index += 1) await takePermit(db, slow, subject, "closed");
  const refusal = await takePermit(db, slow, subject, "closed");
  expect(refusal.retryAfterSeconds).toBeGreaterThan(90);
  expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(100);
  expect(rateLimitHeaders([refusal])).toEqual({
    "RateLimit-Policy": '"slow";q=7;w=700',
    RateLimit: `"slow";r=0;t=${refusal.retryAfterSeconds}`,
  });
});

test(
  "without the database an open limit decides in process and a closed one refuses to decide",
  { timeout: 30_000 },
  async () => {
    const away = connect({
      url: "postgres://app:x@127.0.0.1:1/none",
      poolSize: 1,
      prepare: true,
      applicationName: "test",
    });
    const subject = randomUUID();
    const allowed: boolean[] = [];
    for (let index = 0; index < slow.burst + 2; index += 1)
      allowed.push((await takePermit(away.db, slow, subject, "open")).allowed);
    expect(allowed.filter(Boolean)).toHaveLength(slow.burst);
    await expect(takePermit(away.db, slow, subject, "closed")).rejects.toThrow();
    await away.close();
  },
);
