import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { rebuildQueues } from "./driver-queues";
import { createTestDatabase } from "@/test/database";

/** Four connections belong to the pool, the others to the pipelines. */
const { db, pool } = await createTestDatabase({ poolSize: 8 });

type Queue = Parameters<typeof rebuildQueues>[0]["queue"];

/** The driver's list of idle connections, as it passes it to a query. */
async function idleQueue(): Promise<Queue> {
  const seen = new Promise<Queue>((resolve, reject) => {
    const onexecute = ({ queue }: { queue: Queue }) => {
      resolve(queue);
      return true;
    };
    const options = { prepare: true, onexecute };
    pool.unsafe("select 1 as one", [], options).catch(reject);
  });
  return await seen;
}

test("the driver's list of idle connections is rebuilt even if some connections are always idle", async () => {
  await Promise.all(Array.from({ length: 4 }, () => db.execute(sql`select pg_sleep(0.1)`)));
  const queue = await idleQueue();
  const take = queue.shift;
  let [taken, fewestLeft] = [0, Infinity];
  queue.shift = () => {
    const connection = take();
    taken += 1;
    fewestLeft = Math.min(fewestLeft, queue.length);
    return connection;
  };
  for (let count = 0; count < 600; count += 1) await db.execute(sql`select 1`);
  expect(taken).toBeGreaterThan(600);
  expect(fewestLeft).toBe(0);
  await expect.poll(() => queue.length).toBe(4);
});

test("connections keep their order, and every list is counted separately", () => {
  const make = (waiting: unknown[]): Queue & { waiting: unknown[] } => ({
    waiting,
    get length() {
      return waiting.length;
    },
    shift: () => waiting.shift(),
    push: (connection) => waiting.push(connection),
  });
  const [one, other] = [make(["a", "b", "c"]), make(["d"])];
  let emptied = 0;
  one.shift = () => {
    const connection = one.waiting.shift();
    emptied += Number(one.waiting.length === 0);
    return connection;
  };
  for (let count = 0; count < 499; count += 1) rebuildQueues({ queue: one });
  rebuildQueues({ queue: other });
  expect(emptied).toBe(0);
  expect(rebuildQueues({ queue: one })).toBe(true);
  expect([emptied, one.waiting]).toEqual([1, ["a", "b", "c"]]);
});
