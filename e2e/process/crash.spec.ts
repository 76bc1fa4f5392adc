import postgres from "postgres";
import { expect, test } from "vitest";

import {
  databaseUrlOf,
  isRunning,
  killTree,
  makeDataDir,
  postmasterOf,
  removeDataDir,
  startService,
  statusOf,
  stopService,
} from "./service";

const RUNS = 10;
/** Writes that are acknowledged before the kill falls. */
const WRITES_BEFORE_KILL = 40;
const WRITERS = 4;

/** Writes rows until the server goes away, and keeps the numbers that it acknowledged. */
function startWriting(url: string, run: number) {
  const sql = postgres(url, { max: WRITERS, fetch_types: false, onnotice: () => undefined, connect_timeout: 5 });
  const acknowledged: number[] = [];
  const isFirst = sql`create table if not exists crash_writes (run int, n int, primary key (run, n))`;
  const writer = async (offset: number) => {
    for (let n = offset; ; n += WRITERS) {
      await sql`insert into crash_writes values (${run}, ${n})`;
      acknowledged.push(n);
    }
  };
  const gone = isFirst.then(() => Promise.allSettled(Array.from({ length: WRITERS }, (_, index) => writer(index))));
  return { acknowledged, gone, close: () => sql.end({ timeout: 1 }) };
}

test(
  "kill -9 of the whole process tree loses no acknowledged write over 10 runs, and each start recovers",
  { timeout: 300_000 },
  async () => {
    const dataDir = makeDataDir();
    const expected = new Map<number, number[]>();
    for (let run = 0; run < RUNS; run += 1) {
      const service = await startService({ dataDir });
      expect(await statusOf(`${service.url}/readyz`)).toBe(200);
      const writing = startWriting(databaseUrlOf(dataDir), run);
      await expect.poll(() => writing.acknowledged.length, { interval: 5 }).toBeGreaterThan(WRITES_BEFORE_KILL);
      expect((await killTree(service)).length).toBeGreaterThan(3); // npm, node, and PostgreSQL with its own children
      await writing.gone;
      await writing.close();
      expected.set(run, writing.acknowledged);
    }
    const service = await startService({ dataDir });
    const sql = postgres(databaseUrlOf(dataDir), { max: 1, fetch_types: false });
    const rows = await sql<{ run: number; n: number }[]>`select run, n from crash_writes`;
    await sql.end({ timeout: 1 });
    const kept = new Set(rows.map(({ run, n }) => `${run}/${n}`));
    const lost = [...expected]
      .flatMap(([run, numbers]) => numbers.map((n) => `${run}/${n}`))
      .filter((key) => !kept.has(key));
    expect(lost).toEqual([]);
    expect(await stopService(service)).toBe(0);
    removeDataDir(dataDir);
  },
);

test("PostgreSQL killed under the service is started again by it", async () => {
  const dataDir = makeDataDir();
  const service = await startService({ dataDir });
  const first = postmasterOf(dataDir);
  process.kill(first, "SIGKILL");
  await expect.poll(() => isRunning(first)).toBe(false);
  await expect.poll(() => statusOf(`${service.url}/readyz`), { timeout: 30_000 }).toBe(200);
  expect(postmasterOf(dataDir)).not.toBe(first);
  expect(await stopService(service)).toBe(0);
  removeDataDir(dataDir);
});
