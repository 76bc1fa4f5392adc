import { randomUUID } from "node:crypto";

import { sql } from "drizzle-orm";
import { Redis } from "ioredis";
import { afterAll, describe, expect, test } from "vitest";

import { connect } from "@/db/client";
import { createTestDatabase } from "@/test/database";
import { keyLimit } from "./address-limits";
import { usableBurst } from "./domain/gcra";
import { rateLimitHeaders } from "./headers";
import type { PermitStore } from "./permit-store";
import { deleteIdleBuckets } from "./queries";
import { openRedisStore } from "./redis-store";
import { postgresStore } from "./store";
import { createStoreHealth } from "./store-health";
import { takePermitFrom } from "./take-permit";
import { startRedis } from "@/test/redis";

const { db } = await createTestDatabase();
const redisServer = await startRedis();
const redis = openRedisStore(redisServer.address);
const away = connect({
  url: "postgres://app:x@127.0.0.1:1/none",
  poolSize: 1,
  prepare: true,
  applicationName: "test",
});
const awayRedis = openRedisStore(`${redisServer.address}.none`);
afterAll(async () => {
  await Promise.all([redis.close(), awayRedis.close(), away.close()]);
  await redisServer.stop();
});

const slow = { name: "slow", ratePerSecond: 0.01, burst: 7 };

/** A store's clock cannot be set, but its stored times can be shifted, which is equivalent for a bucket. */
const setClock = {
  PostgreSQL: (bucket: string, seconds: number) =>
    db.execute(
      sql`update rate_buckets set arrival_micros = arrival_micros - ${seconds * 1e6} where bucket = ${bucket}`,
    ),
  Redis: async (bucket: string, seconds: number) => {
    const client = new Redis(redisServer.address);
    const arrival = Number(await client.get(`imprint:rate:${bucket}`));
    await client.set(`imprint:rate:${bucket}`, String(arrival - seconds * 1e6));
    client.disconnect();
  },
};

describe.each([
  ["PostgreSQL", postgresStore(db), postgresStore(away.db)],
  ["Redis", redis.store, awayRedis.store],
] as const)("limits in %s", (name, store, unreachable) => {
  const take = (limit: typeof slow, subject: string) => takePermitFrom(store, limit, subject, "closed");

  test("50 concurrent requests get exactly the burst", async () => {
    const subject = randomUUID();
    const decisions = await Promise.all(Array.from({ length: 50 }, () => take(slow, subject)));
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(slow.burst);
  });

  test("a limit with leases allows at most its burst at once, and at least nine tenths of it", async () => {
    const fast = { name: "fast", ratePerSecond: 50, burst: 50 };
    const subject = randomUUID();
    const startedAt = performance.now();
    const decisions = await Promise.all(Array.from({ length: 200 }, () => take(fast, subject)));
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    const allowed = decisions.filter((decision) => decision.allowed).length;
    expect(allowed).toBeLessThanOrEqual(fast.burst + fast.ratePerSecond * elapsedSeconds);
    expect(allowed).toBeGreaterThanOrEqual(usableBurst(fast));
    expect(usableBurst(fast)).toBeGreaterThanOrEqual(0.9 * fast.burst);
  });

  test("subjects do not share a bucket", async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    for (let index = 0; index < slow.burst; index += 1) await take(slow, first);
    expect((await take(slow, first)).allowed).toBe(false);
    expect((await take(slow, second)).allowed).toBe(true);
  });

  test("permits are earned again over time, one by one", async () => {
    const quick = { name: "quick", ratePerSecond: 4, burst: 2 };
    const subject = randomUUID();
    const startedAt = performance.now();
    const allowedAt: number[] = [];
    await expect
      .poll(
        async () => {
          if ((await take(quick, subject)).allowed) allowedAt.push(performance.now());
          return allowedAt.length;
        },
        { timeout: 15_000, interval: 20 },
      )
      .toBe(5);
    expect((allowedAt.at(-1) ?? 0) - startedAt).toBeGreaterThan(700);
  });

  test("every decision reports the remainder, which counts down", async () => {
    const subject = randomUUID();
    const remaining: number[] = [];
    for (let index = 0; index < slow.burst; index += 1) remaining.push((await take(slow, subject)).remaining);
    expect(remaining).toEqual([6, 5, 4, 3, 2, 1, 0]);
  });

  test("the whole remainder can be used at once, also with leases", async () => {
    const fast = { name: "promised", ratePerSecond: 50, burst: 50 };
    const subject = randomUUID();
    const { remaining } = await take(fast, subject);
    const next = await Promise.all(Array.from({ length: remaining }, () => take(fast, subject)));
    expect(remaining).toBeGreaterThanOrEqual(0.9 * fast.burst - 1);
    expect(next.every(({ allowed }) => allowed)).toBe(true);
  });

  test.each([5, 10, 50, 200])(
    "a key's limit of %i requests a second counts down by one, and all may come at once",
    async (rate) => {
      const subject = randomUUID();
      const limit = keyLimit(rate);
      const startedAt = performance.now();
      const first = await take(limit, subject);
      const headers = rateLimitHeaders([first]);
      // A busy machine earns permits back before the headers are written.
      const earned = Math.floor((rate * (performance.now() - startedAt)) / 1000);
      expect(headers).toEqual({
        "RateLimit-Policy": `"key";q=${rate};w=1`,
        RateLimit: expect.stringMatching(/^"key";r=\d+;t=1$/) as string,
      });
      const remaining = Number(/r=(\d+)/.exec(headers["RateLimit"] ?? "")?.[1]);
      expect(remaining).toBeGreaterThanOrEqual(rate - 1);
      expect(remaining).toBeLessThanOrEqual(Math.min(rate, rate - 1 + earned));
      const rest = await Promise.all(Array.from({ length: 2 * rate }, () => take(limit, subject)));
      const allowed = 1 + rest.filter((decision) => decision.allowed).length;
      expect(allowed).toBeGreaterThanOrEqual(rate);
      expect(allowed).toBeLessThanOrEqual(rate + (rate * (performance.now() - startedAt)) / 1000);
    },
  );

  test("a refusal says when to retry, also in the headers", async () => {
    const subject = randomUUID();
    for (let index = 0; index < slow.burst; index += 1) await take(slow, subject);
    const refusal = await take(slow, subject);
    expect(refusal.retryAfterSeconds).toBeGreaterThan(80);
    expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(100);
    expect(rateLimitHeaders([refusal])).toEqual({
      "RateLimit-Policy": '"slow";q=7;w=700',
      RateLimit: `"slow";r=0;t=${refusal.retryAfterSeconds}`,
    });
  });

  test.each([-40, -1, 40])(
    "a clock change of %i seconds blocks no busy key, and grants it at most one extra burst",
    async (seconds) => {
      const limit = keyLimit(50);
      const subject = randomUUID();
      const demand = async () => {
        const decisions = await Promise.all(Array.from({ length: 100 }, () => take(limit, subject)));
        return decisions.filter(({ allowed }) => allowed).length;
      };
      const startedAt = performance.now();
      let allowed = await demand();
      await setClock[name](`key:${subject}`, seconds);
      const reached = allowed + 10;
      await expect
        .poll(async () => (allowed += await demand()), { timeout: 3_000, interval: 50 })
        .toBeGreaterThan(reached);
      const elapsedSeconds = (performance.now() - startedAt) / 1000;
      expect(allowed).toBeLessThanOrEqual(2 * limit.burst + limit.ratePerSecond * elapsedSeconds);
    },
  );

  test("an outage of the store grants no second burst, neither when it begins nor when the store comes back empty", async () => {
    const subject = randomUUID();
    let isAway = false;
    const failing: PermitStore = {
      take: (bucket, wanted) => (isAway ? unreachable.take(bucket, wanted) : store.take(bucket, wanted)),
      health: { ...createStoreHealth(), isSuspended: () => false },
    };
    const demand = async () => (await takePermitFrom(failing, slow, subject, "open")).allowed;
    const allowed = [await demand(), await demand(), await demand()];
    isAway = true;
    allowed.push(await demand(), await demand());
    isAway = false;
    await setClock[name](`slow:${subject}`, 3600);
    for (let index = 0; index < 5; index += 1) allowed.push(await demand());
    expect(allowed.filter(Boolean)).toHaveLength(slow.burst);
  });

  test(
    "without its store a fail-open limit decides in the process, and a fail-closed one throws",
    { timeout: 60_000 },
    async () => {
      const subject = randomUUID();
      const allowed: boolean[] = [];
      for (let index = 0; index < slow.burst + 2; index += 1)
        allowed.push((await takePermitFrom(unreachable, slow, subject, "open")).allowed);
      expect(allowed.filter(Boolean)).toHaveLength(slow.burst);
      await expect(takePermitFrom(unreachable, slow, randomUUID(), "closed")).rejects.toThrow();
    },
  );
});

test("buckets idle for an hour are deleted, in any number, and those in use stay", async () => {
  const micros = sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`;
  const name = randomUUID();
  await db.execute(sql`insert into rate_buckets (bucket, arrival_micros)
    select ${name} || n, ${micros} - case when n % 1000 = 0 then 60000000 else 7200000000 end
    from generate_series(1, 60000) n`);
  const left = async () => {
    const [row] = await db.execute<{ count: number }>(
      sql`select count(*)::int as count from rate_buckets where bucket like ${`${name}%`}`,
    );
    return row?.count;
  };
  await deleteIdleBuckets(db, AbortSignal.abort());
  expect(await left()).toBe(60_000);
  await deleteIdleBuckets(db);
  expect(await left()).toBe(60);
});
