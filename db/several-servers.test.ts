import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { sql } from "drizzle-orm";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";

import { openStreamingPair } from "@/test/streaming-replica";
import { connect, isDatabaseUnavailable } from "./client";
import { migrateDatabase } from "./migrate";
import { openClient } from "./open-client";
import { statement } from "./prepared";

const cleanUp: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of cleanUp.reverse()) await step();
});
const { primary, standby } = await openStreamingPair(cleanUp);

/** One URL with several servers, with the role and database of the first. */
function addressOf(...urls: readonly string[]): string {
  const [first = "", ...others] = urls;
  const { host } = new URL(first);
  return first.replace(host, [host, ...others.map((url) => new URL(url).host)].join());
}

/** A server that accepts connections but never responds. */
async function openSilent(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `postgres://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const isStandby = async (address: string, role?: "primary" | "standby") => {
  const client = openClient(address, { max: 1, fetch_types: false }, role);
  try {
    const [row] = await client`select pg_is_in_recovery() as is_standby`;
    return row?.["is_standby"] as unknown;
  } finally {
    await client.end({ timeout: 1 });
  }
};

test("a connection goes to the server with its role, regardless of order and of servers that do not respond", async () => {
  const silent = await openSilent();
  for (const urls of [
    [primary.url, standby.url],
    [standby.url, primary.url, silent],
  ]) {
    expect(await isStandby(addressOf(...urls))).toBe(false);
    expect(await isStandby(addressOf(...urls), "standby")).toBe(true);
  }
});

test("if no server has the role, the connection goes to one that responds; if none responds, it fails with the reason", async () => {
  const silent = await openSilent();
  expect(await isStandby(addressOf(standby.url, silent))).toBe(true);
  const away = addressOf(standby.url.replace(new URL(standby.url).port, "1"), "postgres://127.0.0.1:2");
  const startedAt = performance.now();
  const refusal = await isStandby(away).catch((error: unknown) => error);
  expect(String(refusal)).toContain("ECONNREFUSED");
  expect(isDatabaseUnavailable(refusal)).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});

const countWorkspaces = statement<{ count: number }>(sql`select count(*)::int as count from workspaces`);

test("after a failover every kind of work continues on the promoted server", async () => {
  const url = addressOf(primary.url, standby.url);
  await migrateDatabase(url, join(process.cwd(), "db/migrations"));
  const { db, close } = connect({ url, poolSize: 4, prepare: true, applicationName: "several" });
  onTestFinished(close);
  const work = async () => {
    await countWorkspaces(db, {});
    await db.execute(sql`create temporary table if not exists written (at timestamptz)`);
    await db.transaction((tx) => tx.execute(sql`create table if not exists written_for_good (at timestamptz)`));
    return true;
  };
  expect(await work()).toBe(true);
  await primary.kill();
  await standby.promote();
  await vi.waitUntil(() => work().catch(() => false), { timeout: 10_000, interval: 100 });
  expect(await Promise.all([work(), work(), work()])).toEqual([true, true, true]);
}, 60_000);
