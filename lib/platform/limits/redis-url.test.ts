import { randomUUID } from "node:crypto";

import { Redis } from "ioredis";
import { expect, test, vi } from "vitest";

import { createTestDatabase } from "@/test/database";
import { startRedis } from "@/test/redis";

const { db } = await createTestDatabase();

test("with REDIS_URL the service keeps its limits in Redis, and none in the database", async () => {
  const redis = await startRedis();
  vi.stubEnv("REDIS_URL", redis.url);
  vi.resetModules();
  const { closeRedis, takePermit } = await import("./index");
  const subject = randomUUID();
  const limit = { name: "elsewhere", ratePerSecond: 0.01, burst: 2 };
  const allowed: boolean[] = [];
  for (let index = 0; index < 3; index += 1) allowed.push((await takePermit(db, limit, subject, "closed")).allowed);
  const reader = new Redis(redis.url);
  const keys = await reader.keys("*");
  reader.disconnect();
  await closeRedis();
  await redis.stop();
  vi.unstubAllEnvs();
  expect(allowed).toEqual([true, true, false]);
  expect(keys).toEqual([`imprint:rate:elsewhere:${subject}`]);
  expect(await db.execute("select 1 from rate_buckets")).toHaveLength(0);
});
