import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";

import { createPipelines } from "./pipelines";
import { statement } from "./prepared";
import { createRenewable } from "./renewable";
import { createTestDatabase } from "@/test/database";

const { db, pool, url } = await createTestDatabase();

const readProcess = statement<{ pid: number }>(sql`select pg_backend_pid() as pid`);
const divide = statement<{ result: number }>(sql`select 1 / ${sql.placeholder("by")}::int as result`);
const lockJob = statement<{ name: string }>(
  sql`update jobs set due_at = now() where name = ${sql.placeholder("name")} returning name`,
);

const pidOf = async () => (await readProcess(db, {}))[0]?.pid;
const together = <T>(count: number, work: () => PromiseLike<T>) => Promise.all(Array.from({ length: count }, work));

/** Whether a session of this database has been waiting for a lock for this long. */
async function hasWaited(milliseconds: number): Promise<boolean> {
  const rows = await pool`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and clock_timestamp() - query_start > make_interval(secs => ${milliseconds / 1000})`;
  return rows.length > 0;
}

test("short statements sent together share one connection, and each gets its own answer", async () => {
  // As many as may always queue; more are spread over connections if an answer is expected to take long.
  await expect.poll(async () => new Set(await together(4, pidOf)).size, { timeout: 10_000 }).toBe(1);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => divide(db, { by: index === 7 ? 1 : 2 })));
  expect(answers.map(([row]) => row?.result)).toEqual(Array.from({ length: 20 }, (_, index) => Number(index === 7)));
});

test("a short statement is not sent behind a long one", async () => {
  const clients = [1, 2].map(() => postgres(url, { max: 1, fetch_types: false }));
  const [first, second] = clients;
  if (!first || !second) throw new Error("no connections");
  afterAll(() => Promise.all(clients.map((client) => client.end({ timeout: 5 }))));
  const fixed = (client: postgres.Sql) => ({ client, renew: () => undefined, close: () => client.end({ timeout: 5 }) });
  const pipelines = createPipelines([fixed(first), fixed(second)]);
  const send = (text: string) => pipelines.send(text, [], { prepare: true });
  const long = "select pg_backend_pid() as pid from pg_sleep(0.008)";
  const short = "select pg_backend_pid() as pid";
  // Their durations are learnt sequentially, on the first connection.
  for (const text of [long, short]) for (let run = 0; run < 60; run += 1) await send(text);
  const [[ofLong], [ofShort], [ofNext]] = await Promise.all([send(long), send(short), send(short)]);
  expect(ofShort?.["pid"]).not.toBe(ofLong?.["pid"]);
  expect(ofNext?.["pid"]).toBe(ofShort?.["pid"]);
});

test("a failing statement does not fail the others in the same pipeline", async () => {
  const outcomes = await Promise.allSettled([1, 0, 1, 0, 1].map((by) => divide(db, { by })));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"]);
});

test("nothing is queued behind a statement that has been waiting for a lock", async () => {
  await pool`insert into jobs (name, due_at) values ('held', now())`;
  let waiting: PromiseLike<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await lockJob(tx, { name: "held" });
    waiting = Promise.resolve(lockJob(db, { name: "held" }));
    await expect.poll(() => hasWaited(20)).toBe(true);
    expect(await together(10, pidOf)).not.toContain(undefined);
    expect(await hasWaited(20)).toBe(true);
  });
  expect(await waiting).toEqual([{ name: "held" }]);
});

test("statements of a transaction stay on its connection", async () => {
  await db.transaction(async (tx) => {
    const [own] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    expect(await readProcess(tx, {})).toEqual([own]);
    expect(await pidOf()).not.toBe(own?.pid);
  });
});

test("when a connection is lost, every statement on it fails and later ones are answered", async () => {
  const before = await pidOf();
  const outcomes = Promise.allSettled(Array.from({ length: 10 }, pidOf));
  await pool`select pg_terminate_backend(${before ?? 0})`;
  expect(await outcomes).toHaveLength(10);
  await expect.poll(() => pidOf().catch(() => undefined)).toEqual(expect.any(Number));
  const after = await together(10, pidOf);
  expect(after).not.toContain(undefined);
  expect(after).not.toContain(before);
});

test(
  "a connection lost while statements are about to be sent is replaced immediately",
  { timeout: 60_000 },
  async () => {
    const renewable = createRenewable(() => postgres(url, { max: 1, fetch_types: false, connect_timeout: 4 }));
    afterAll(renewable.close);
    const pipelines = createPipelines([renewable]);
    const ask = async () => (await pipelines.send("select pg_backend_pid() as pid", [], { prepare: true }))[0]?.["pid"];
    let isOver = false;
    const load = async () => {
      while (!isOver) await ask().catch(() => new Promise((resolve) => setImmediate(resolve)));
    };
    await ask();
    const loads = Promise.all(Array.from({ length: 20 }, load));
    const waits: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      await pool`select pg_terminate_backend(${Number(await ask())})`;
      const lostAt = performance.now();
      while ((await ask().catch(() => undefined)) === undefined);
      waits.push(performance.now() - lostAt);
    }
    isOver = true;
    await loads;
    expect(Math.max(...waits)).toBeLessThan(2_000);
  },
);

test(
  "a connection that reaches its maximum lifetime under load is replaced without a failed statement",
  { timeout: 20_000 },
  async () => {
    const client = postgres(url, { max: 1, fetch_types: false, max_lifetime: 1 });
    afterAll(() => client.end({ timeout: 5 }));
    const pipelines = createPipelines([{ client, renew: () => undefined, close: () => client.end({ timeout: 5 }) }]);
    const pids = new Set<unknown>();
    const load = async () => {
      while (pids.size < 3) {
        const [row] = await pipelines.send("select pg_backend_pid() as pid", [], { prepare: true });
        pids.add(row?.["pid"]);
      }
    };
    await together(8, load);
    expect(pids.size).toBe(3);
  },
);
