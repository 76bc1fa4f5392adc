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

/** Restarting everything takes twenty times as long as restarting only the server. */
const TREE_KILLS = 2;
const SERVER_KILLS = 4;
/** Number of acknowledged writes before the kill. */
const WRITES_BEFORE_KILL = 40;
const WRITERS = 4;

/** Writes rows until the server goes away, and records the acknowledged ones. */
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

/** Kills while rows are being written; returns acknowledged rows as `run/n`. */
async function killWhileWriting(url: string, run: number, kill: () => Promise<unknown>): Promise<string[]> {
  const writing = startWriting(url, run);
  await expect.poll(() => writing.acknowledged.length, { interval: 5 }).toBeGreaterThan(WRITES_BEFORE_KILL);
  await kill();
  await writing.gone;
  await writing.close();
  return writing.acknowledged.map((n) => `${run}/${n}`);
}

/** Acknowledged rows that are not stored. */
async function lostOf(url: string, acknowledged: readonly string[]): Promise<string[]> {
  const sql = postgres(url, { max: 1, fetch_types: false });
  const rows = await sql<{ run: number; n: number }[]>`select run, n from crash_writes`;
  await sql.end({ timeout: 1 });
  const kept = new Set(rows.map(({ run, n }) => `${run}/${n}`));
  return acknowledged.filter((write) => !kept.has(write));
}

test(
  `kill -9 of the whole process tree (${TREE_KILLS} times) and of PostgreSQL alone (${SERVER_KILLS} times) loses no acknowledged write, and the service recovers`,
  { timeout: 300_000 },
  async () => {
    const dataDir = makeDataDir();
    const acknowledged: string[] = [];
    for (let run = 0; run < TREE_KILLS; run += 1) {
      const service = await startService({ dataDir, byNpm: true });
      expect(await statusOf(`${service.url}/readyz`)).toBe(200);
      const writes = await killWhileWriting(databaseUrlOf(dataDir), run, async () => {
        expect((await killTree(service)).length).toBeGreaterThan(3); // npm, node, and PostgreSQL with its children
      });
      acknowledged.push(...writes);
    }
    const service = await startService({ dataDir });
    for (let run = 0; run < SERVER_KILLS; run += 1) {
      const first = postmasterOf(dataDir);
      const writes = await killWhileWriting(databaseUrlOf(dataDir), TREE_KILLS + run, async () => {
        process.kill(first, "SIGKILL");
        await expect.poll(() => isRunning(first)).toBe(false);
      });
      acknowledged.push(...writes);
      await expect.poll(() => statusOf(`${service.url}/readyz`), { timeout: 30_000 }).toBe(200);
      expect(postmasterOf(dataDir)).not.toBe(first);
    }
    expect(await lostOf(databaseUrlOf(dataDir), acknowledged)).toEqual([]);
    expect(await stopService(service)).toBe(0);
    removeDataDir(dataDir);
  },
);
