import { join } from "node:path";

import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";

import { databaseUrl, TEMPLATE_DATABASE } from "@/test/database";
import { openFaultProxy } from "@/scripts/faults/fault-proxy";
import { openStreamingPair } from "@/test/streaming-replica";
import { connect, connectReplica, type Database, publishReplica, readerDatabase } from "./client";
import { examineReplica } from "./examine-replica";
import { migrateDatabase } from "./migrate";
import type { Fallback } from "./replica";

const MAX_LAG_SECONDS = 1;

const cleanUp: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of cleanUp.reverse()) await step();
});
const { primary, standby } = await openStreamingPair(cleanUp);
await migrateDatabase(primary.url, join(process.cwd(), "db/migrations"));
const connection = connect({ url: primary.url, poolSize: 4, prepare: true, applicationName: "replica-test" });
cleanUp.push(() => connection.close());
const { db } = connection;

const fallbacks: Fallback[] = [];
const closing: (() => Promise<void>)[] = [];
beforeEach(() => {
  fallbacks.length = 0;
});
afterEach(async () => {
  publishReplica(undefined);
  for (const close of closing.splice(0)) await close();
});

/** Opens a reader for the server at `url`. */
function openReader(url: string) {
  const replica = connectReplica(connection, {
    ...{ url, connections: 2, prepare: true, applicationName: "replica-test", maxLagSeconds: MAX_LAG_SECONDS },
    onFallback: (reason) => fallbacks.push(reason),
  });
  closing.push(() => replica.close());
  publishReplica(replica);
  const reader = readerDatabase();
  if (!reader) throw new Error("there is no reader");
  return { reader, state: replica.state, isUsed: () => expect.poll(() => replica.state().usable).toBe(2) };
}
const isStandby = async (from: Database) => {
  const [row] = await from.execute<{ is_standby: boolean }>(sql`select pg_is_in_recovery() as is_standby`);
  return row?.is_standby;
};
const note = (to: Database, name: string) =>
  to.execute(sql`insert into instance_notes (name, noted_at) values (${name}, clock_timestamp())`);
const countNotes = async (from: Database, name: string) =>
  (await from.execute(sql`select 1 from instance_notes where name = ${name}`)).length;

test("a replica that follows the primary is used once it has proved it", async () => {
  const { reader, state, isUsed } = openReader(standby.url);
  expect(await isStandby(reader)).toBe(false);
  expect(fallbacks).toEqual(["stale"]);
  await isUsed();
  expect(await isStandby(reader)).toBe(true);
  expect(state()).toMatchObject({ connections: 2, usable: 2, problem: undefined });
  expect(await examineReplica(db, standby.url, 2_000)).toMatchObject({ kind: "follows" });
});

test("writes and transactions run on the primary", async () => {
  const { reader, state, isUsed } = openReader(standby.url);
  await isUsed();
  await note(reader, "written through the reader");
  expect(fallbacks).toEqual(["write"]);
  expect(await countNotes(db, "written through the reader")).toBe(1);
  await reader.transaction(async (tx) => {
    await tx.execute(sql`insert into instance_notes (name, noted_at) values ('in a transaction', clock_timestamp())`);
  });
  expect(await countNotes(db, "in a transaction")).toBe(1);
  expect(state().usable).toBe(2);
});

test("a statement's own error is reported without retrying on the primary", async () => {
  const { reader, isUsed } = openReader(standby.url);
  await isUsed();
  await expect(reader.execute(sql`select 1 / 0`)).rejects.toThrow();
  expect(fallbacks).toEqual([]);
});

test("a replica with paused replay is not used beyond the lag bound, and is used again when it has caught up", async () => {
  const { reader, state, isUsed } = openReader(standby.url);
  await isUsed();
  await standby.asAdministrator("select pg_wal_replay_pause()");
  const lagsFrom = performance.now();
  // Whenever it is used, it has everything written before the bound.
  for (let number = 0; state().usable > 0; number += 1) {
    const name = `paused ${number}`;
    await note(db, name);
    const [writtenAt, count] = [performance.now(), await countNotes(reader, name)];
    if (count === 0) expect(performance.now() - writtenAt).toBeLessThan(MAX_LAG_SECONDS * 1000);
  }
  expect(performance.now() - lagsFrom).toBeLessThan((MAX_LAG_SECONDS + 1) * 1000);
  await note(db, "while it is paused");
  expect(await countNotes(reader, "while it is paused")).toBe(1);
  expect(state()).toMatchObject({ usable: 0, problem: "lag" });
  expect(await examineReplica(db, standby.url, 300)).toMatchObject({ kind: "behind" });
  await standby.asAdministrator("select pg_wal_replay_resume()");
  await isUsed();
  expect(await isStandby(reader)).toBe(true);
});

test("the primary itself and a server with a different history are not accepted as replicas", async () => {
  const own = openReader(primary.url);
  await expect.poll(() => own.state().problem).toBe("no standby");
  expect(own.state().usable).toBe(0);
  expect(await examineReplica(db, primary.url, 300)).toEqual({ kind: "primary" });
  expect(await examineReplica(db, await databaseUrl(TEMPLATE_DATABASE), 300)).toEqual({ kind: "foreign" });
  // The other schema's heartbeat is recent, but no value that this primary ever had.
  const at = (url: string) => `${url}?search_path=beside`;
  await db.execute(sql`create schema beside`);
  await db.execute(sql`create table beside.instance_notes (name text primary key, noted_at timestamptz not null)`);
  await db.execute(sql`insert into beside.instance_notes values ('replica-heartbeat', clock_timestamp())`);
  const foreign = openReader(at(standby.url));
  await expect.poll(() => foreign.state().problem, { timeout: 10_000 }).toBe("unknown data");
  expect(foreign.state().usable).toBe(0);
  expect(await isStandby(foreign.reader)).toBe(false);
});

test("reads on a hanging replica are answered by the primary before their deadline, and the replica is used when it is back", async () => {
  const faultProxy = await openFaultProxy(standby.url);
  closing.push(faultProxy.close);
  const { reader, state, isUsed } = openReader(faultProxy.url);
  await isUsed();
  await faultProxy.stall();
  const startedAt = performance.now();
  expect(await Promise.all([isStandby(reader), isStandby(reader), isStandby(reader)])).toEqual([false, false, false]);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(state()).toMatchObject({ usable: 0, problem: "unreachable" });
  expect(await isStandby(reader)).toBe(false);
  await faultProxy.reopen();
  await expect.poll(() => state().usable, { timeout: 20_000 }).toBe(2);
  expect(await isStandby(reader)).toBe(true);
});

test("the death of a replica goes unnoticed by callers, and it is used again when it is back", async () => {
  const { reader, state, isUsed } = openReader(standby.url);
  await isUsed();
  const reading = Array.from({ length: 20 }, () => reader.execute(sql`select pg_sleep(0.05)`));
  await standby.kill();
  expect((await Promise.allSettled(reading)).filter(({ status }) => status === "rejected")).toEqual([]);
  expect(await isStandby(reader)).toBe(false);
  await expect.poll(() => state().usable).toBe(0);
  expect(await examineReplica(db, standby.url, 300)).toMatchObject({ kind: "away" });
  await standby.start();
  await expect.poll(() => state().usable, { timeout: 20_000 }).toBe(2);
  expect(await isStandby(reader)).toBe(true);
});

test("a promoted replica is not used", async () => {
  const { reader, state, isUsed } = openReader(standby.url);
  await isUsed();
  await standby.promote();
  await note(db, "after the promotion");
  // Each connection finds out by itself.
  await expect.poll(state).toMatchObject({ problem: "no standby", usable: 0 });
  expect(await countNotes(reader, "after the promotion")).toBe(1);
});
