import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";

import { openFaultProxy } from "@/scripts/faults/fault-proxy";
import { createTestDatabase } from "@/test/database";
import { connect } from "./client";
import { STATEMENT_DEADLINE_MS } from "./deadlines";
import { statement } from "./prepared";

const { url } = await createTestDatabase();
const readProcess = statement<{ pid: number }>(sql`select pg_backend_pid() as pid`);
const together = (count: number, work: () => PromiseLike<unknown>) => Promise.all(Array.from({ length: count }, work));

test(
  "dead connections are replaced after one deadline, even without any sign of their end",
  { timeout: 30_000 },
  async () => {
    const faultProxy = await openFaultProxy(url);
    const { db, close } = connect({ url: faultProxy.url, poolSize: 8, prepare: true, applicationName: "silent" });
    onTestFinished(async () => {
      await faultProxy.close();
      await close();
    });
    const short = () => readProcess(db, {});
    const long = () => db.execute(sql`select 1`);
    const transaction = () => db.transaction((tx) => tx.execute(sql`select 1`));
    const outcomes = async (...asked: (() => PromiseLike<unknown>)[]) =>
      (await Promise.allSettled(asked.map((each) => each()))).map(({ status }) => status);
    // Opens all connections.
    await together(100, short);
    await together(4, transaction);
    faultProxy.stallOpen();
    const startedAt = performance.now();
    expect(await outcomes(short, long)).toEqual(["rejected", "rejected"]);
    expect(await outcomes(short, long, transaction)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
    expect(performance.now() - startedAt).toBeLessThan(2 * STATEMENT_DEADLINE_MS);
  },
);

test("a long transaction finishes on its own connection even though all connections are replaced", async () => {
  const { db, renewAll, close } = connect({ url, poolSize: 4, prepare: true, applicationName: "renewed" });
  onTestFinished(close);
  const pids = await db.transaction(async (tx) => {
    const first = await readProcess(tx, {});
    renewAll();
    await tx.execute(sql`select pg_sleep(3)`);
    await tx.execute(sql`select pg_sleep(3)`);
    return [first, await readProcess(tx, {})];
  });
  expect(pids[1]).toEqual(pids[0]);
}, 20_000);
