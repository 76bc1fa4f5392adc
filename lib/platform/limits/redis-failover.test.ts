import { renameSync, symlinkSync } from "node:fs";
import { randomUUID } from "node:crypto";

import { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";

import { type RedisProcess, startRedis } from "@/test/redis";
import { reachRedis } from "./reach-redis";
import { openRedisStore } from "./redis-store";

const BUCKET = { permits: 1, emissionMicros: 1_000, burst: 1_000 };

/** Two servers, an address that resolves to the first, and a store connected to it. */
async function openPair() {
  const servers = [await startRedis(), await startRedis()] as const;
  const address = `${servers[0].address}.link`;
  const leadTo = ({ address: target }: RedisProcess) => {
    symlinkSync(target, `${address}.next`);
    renameSync(`${address}.next`, address);
  };
  leadTo(servers[0]);
  const { store, close } = openRedisStore(address);
  onTestFinished(async () => {
    await close();
    await Promise.all(servers.map(({ stop }) => stop()));
  });
  await store.take("warm", BUCKET);
  return { servers, address, leadTo, take: () => store.take(randomUUID(), BUCKET).then(({ allowed }) => allowed) };
}

test("after a failover the limits are kept by the new primary, even if the old one still answers", async () => {
  const { servers, address, leadTo, take } = await openPair();
  const [old, primary] = servers;
  const administrator = new Redis(old.url);
  await administrator.replicaof("127.0.0.1", Number(new URL(primary.url).port));
  administrator.disconnect();
  expect(await reachRedis(address, 2_000)).toMatch(/READONLY/);
  leadTo(primary);
  await expect.poll(() => take().catch(() => false), { timeout: 10_000 }).toBe(true);
  expect(await reachRedis(address, 2_000)).toBeUndefined();
});

test("a silent server is abandoned for the one that the address now resolves to", async () => {
  const { servers, leadTo, take } = await openPair();
  const [silent, primary] = servers;
  silent.signal("SIGSTOP");
  leadTo(primary);
  await expect.poll(() => take().catch(() => false), { timeout: 10_000 }).toBe(true);
});
