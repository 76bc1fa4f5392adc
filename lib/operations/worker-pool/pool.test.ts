import cluster from "node:cluster";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { afterAll, afterEach, expect, test, vi } from "vitest";

import { listen } from "@/lib/interfaces/http/server/listen";
import { createWorkerPool } from "./pool";

const folder = mkdtempSync(join(tmpdir(), "imprint-pool-"));
const program = join(folder, "worker.mjs");
const mode = join(folder, "mode");
const journal = join(folder, "journal");

/** A fake service. Depending on the file it starts, serves, fails with a reason, or dies. */
writeFileSync(
  program,
  `import { appendFileSync, readFileSync } from "node:fs";
  const note = (text) => appendFileSync(${JSON.stringify(journal)}, text + " " + process.pid + "\\n");
  const mode = readFileSync(${JSON.stringify(mode)}, "utf8");
  process.on("message", ({ kind, assignment }, connection) => {
    if (kind === "connection") return void connection?.end("answered by " + process.pid);
    if (kind === "ping") return void process.send({ kind: "pong" });
    note(kind);
    if (kind === "delay") return;
    if (kind !== "start") return void setImmediate(() => process.exit(0));
    if (assignment.databaseUrl === "postgres://given") process.send({ kind: "serving" });
  });
  if (mode === "serve") process.send({ kind: "ready" });
  else if (mode === "refuse") process.send({ kind: "failed", reason: "the port is taken" }, () => process.exit(1));
  else process.kill(process.pid, mode);`,
);

cluster.setupPrimary({ execArgv: [] });
/** All of these tests start processes, which takes seconds on a busy machine. */
vi.setConfig({ testTimeout: 90_000 });
const soon = { timeout: 60_000 };

const running = () =>
  Object.values(cluster.workers ?? {}).flatMap((worker) =>
    worker && !worker.isDead() ? (worker.process.pid ?? []) : [],
  );
const timesStarted = () => journalLines().filter((line) => line.startsWith("start")).length;
const journalLines = () => readFileSync(journal, "utf8").trimEnd().split("\n");

afterAll(() => {
  rmSync(folder, { recursive: true });
});

let stop: () => Promise<void> = () => Promise.resolve();
afterEach(async () => {
  await stop();
});

type TestOptions = { pingIntervalMs?: number; hasRoom?: (open: number) => boolean };

function createTestPool(startsAs: string, { hasRoom = () => true, ...timing }: TestOptions = {}) {
  writeFileSync(mode, startsAs);
  writeFileSync(journal, "");
  const onUnrecoverable = vi.fn();
  const address = { databaseUrl: "postgres://given", hasSettings: true, prepare: true };
  const assignment = { ...address, pagesSocket: "", probeUrls: [] };
  const pool = createWorkerPool({
    program: { role: "requests", file: program, ...timing },
    size: 2,
    assignment,
    hasRoom,
    onUnrecoverable,
  });
  stop = async () => {
    await pool.stop({ isGentle: false });
    expect(running()).toEqual([]);
  };
  return { pool, onUnrecoverable };
}

test.each([
  ["stop", false],
  ["retire", true],
])("a pool is ready when all its workers are, and each is told to %s", async (command, isGentle) => {
  const { pool } = createTestPool("serve");
  await pool.start();
  const workers = running();
  expect(workers).toHaveLength(2);
  await pool.stop({ isGentle });
  expect(journalLines().slice(2).sort()).toEqual(workers.map((id) => `${command} ${id}`).sort());
});

test("a worker that is still starting stops like the others", async () => {
  const { pool } = createTestPool("serve");
  await pool.start();
  const before = running();
  process.kill(Number(before[0]), "SIGKILL");
  await expect.poll(() => running().filter((id) => !before.includes(id)), soon).toHaveLength(1);
  const started = running();
  await pool.stop({ isGentle: false });
  const stopped = journalLines().filter((line) => line.startsWith("stop"));
  expect(stopped.sort()).toEqual(started.map((id) => `stop ${id}`).sort());
});

test("a worker that starts during the shutdown delay is notified like the others", async () => {
  const { pool } = createTestPool("serve");
  await pool.start();
  const before = running();
  pool.delayShutdown();
  await expect.poll(() => journalLines().filter((line) => line.startsWith("delay")).length).toBe(2);
  process.kill(Number(before[0]), "SIGKILL");
  await expect.poll(() => journalLines().filter((line) => line.startsWith("delay")).length, soon).toBe(3);
});

/** Connects to a pool's port several times in sequence; returns what each client received. */
async function ask(pool: ReturnType<typeof createWorkerPool>, times: number): Promise<string[]> {
  const listening = await listen({ port: 0, host: "127.0.0.1", isPaused: true }, pool.take);
  const told: string[] = [];
  for (let count = 0; count < times; count += 1) {
    const client = connect(listening.port, "127.0.0.1");
    told.push(await text(client));
  }
  listening.close();
  return told;
}

test("connections are dispatched round robin, and wait while no worker is serving", async () => {
  const { pool } = createTestPool("serve");
  const early = ask(pool, 1);
  await pool.start();
  const answers = running().map((id) => `answered by ${id}`);
  expect(answers).toContain((await early)[0]);
  const told = await ask(pool, 4);
  expect(told.slice(0, 2).sort()).toEqual(answers.sort());
  expect(told.slice(2)).toEqual(told.slice(0, 2));
});

test("while workers are replaced, every connection is answered", async () => {
  const { pool } = createTestPool("serve");
  await pool.start();
  const asked = Promise.all(Array.from({ length: 50 }, () => ask(pool, 20)));
  expect(await pool.replaceAll()).toBeUndefined();
  for (const told of await asked) expect(told.filter((one) => !one.startsWith("answered"))).toEqual([]);
});

test.each([
  ["refuse", "the port is taken"],
  ["SIGKILL", "it exited with SIGKILL, as when the machine or container has no memory left. See"],
  ["SIGABRT", "it exited with SIGABRT, as when its heap is full: raise --max-old-space-size in NODE_OPTIONS. See"],
  ["SIGHUP", /^it exited with SIGHUP$/],
])(
  "a first start whose workers end with %s fails with their reason, or what the signal usually means",
  async (startsAs, words) => {
    const { pool, onUnrecoverable } = createTestPool(startsAs);
    await expect(pool.start()).rejects.toThrow(words);
    expect(onUnrecoverable).not.toHaveBeenCalled();
  },
);

test("a lost worker is replaced at once; replacement is abandoned after three attempts", async () => {
  const { pool, onUnrecoverable } = createTestPool("serve");
  await pool.start();
  const [lost = 0, other = 0] = running();
  process.kill(lost, "SIGKILL");
  await expect.poll(timesStarted, soon).toBe(3);
  expect(running()).not.toContain(lost);
  writeFileSync(mode, "refuse");
  const started = vi.spyOn(cluster, "fork");
  process.kill(other, "SIGKILL");
  await expect.poll(() => onUnrecoverable.mock.calls, soon).toEqual([[new Error("the port is taken")]]);
  expect(started).toHaveBeenCalledTimes(3);
  started.mockRestore();
});

test("a worker that hangs is killed and replaced", async () => {
  const { pool, onUnrecoverable } = createTestPool("serve", { pingIntervalMs: 400 });
  await pool.start();
  const [hung = 0] = running();
  process.kill(hung, "SIGSTOP");
  await expect.poll(timesStarted, soon).toBe(3);
  expect(running()).not.toContain(hung);
  expect(running()).toHaveLength(2);
  const told = await ask(pool, 4);
  expect(told.filter((one) => !one.startsWith("answered"))).toEqual([]);
  expect(onUnrecoverable).not.toHaveBeenCalled();
});

/** Connects several clients at once; returns what each one receives until its connection is closed. */
async function askAtOnce(pool: ReturnType<typeof createWorkerPool>, clients: number) {
  const listening = await listen({ port: 0, host: "127.0.0.1", isPaused: true }, pool.take);
  const told = Array.from({ length: clients }, async () => await text(connect(listening.port, "127.0.0.1")));
  return {
    told,
    close: () => {
      listening.close();
    },
  };
}

test("connections that a killed worker had not taken over are answered by another one, or at least closed", async () => {
  const { pool } = createTestPool("serve", { pingIntervalMs: 400 });
  await pool.start();
  const [hung = 0] = running();
  process.kill(hung, "SIGSTOP");
  const { told, close } = await askAtOnce(pool, 20);
  const answered = (await Promise.all(told)).filter((one) => one.startsWith("answered"));
  // One was on its way to the worker when that was killed.
  expect(answered.length).toBeGreaterThanOrEqual(19);
  close();
});

test("connections that no worker has taken over count against the limit of open files", async () => {
  const opens: number[] = [];
  const { pool } = createTestPool("serve", {
    hasRoom(open) {
      opens.push(open);
      return open < 3;
    },
  });
  const { told, close } = await askAtOnce(pool, 5);
  await expect.poll(() => opens).toEqual([0, 1, 2, 3, 3]);
  await pool.start();
  const answered = (await Promise.all(told)).filter((one) => one.startsWith("answered"));
  expect(answered).toHaveLength(3);
  const later = await ask(pool, 4);
  expect(later.filter((one) => !one.startsWith("answered"))).toEqual([]);
  expect(opens.slice(5)).toEqual([0, 0, 0, 0]);
  close();
});

test("workers are replaced one at a time, each only when its successor is serving", async () => {
  const { pool } = createTestPool("serve");
  await pool.start();
  const old = running();
  expect(await pool.replaceAll()).toBeUndefined();
  expect(journalLines().map((line) => line.split(" ")[0])).toEqual([
    "start",
    "start",
    ...["start", "retire"],
    ...["start", "retire"],
  ]);
  expect(running().filter((id) => old.includes(id))).toEqual([]);
  expect(running()).toHaveLength(2);
});

test("if a successor cannot start, the old workers keep running, and a lost one is still replaced", async () => {
  const { pool, onUnrecoverable } = createTestPool("serve");
  await pool.start();
  const old = running();
  writeFileSync(mode, "refuse");
  expect(await pool.replaceAll()).toBe("the port is taken");
  expect(running()).toEqual(old);
  writeFileSync(mode, "serve");
  process.kill(Number(old[0]), "SIGKILL");
  await expect.poll(timesStarted, soon).toBe(3);
  expect(onUnrecoverable).not.toHaveBeenCalled();
});
