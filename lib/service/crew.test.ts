import cluster from "node:cluster";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, afterEach, expect, test, vi } from "vitest";

import { createCrew } from "./crew";

const folder = mkdtempSync(join(tmpdir(), "imprint-crew-"));
const program = join(folder, "worker.mjs");
const mode = join(folder, "mode");
const journal = join(folder, "journal");

/** Stands for the service: it asks and serves, refuses with words or dies, as the file says when it starts. */
writeFileSync(
  program,
  `import { appendFileSync, readFileSync } from "node:fs";
  const note = (text) => appendFileSync(${JSON.stringify(journal)}, text + " " + process.pid + "\\n");
  const mode = readFileSync(${JSON.stringify(mode)}, "utf8");
  process.on("message", ({ kind, assignment }) => {
    note(kind);
    if (kind !== "begin") process.exit(0);
    if (assignment.databaseUrl === "postgres://given") process.send({ kind: "serving" });
  });
  if (mode === "serve") process.send({ kind: "asks" });
  else if (mode === "refuse") process.send({ kind: "failed", reason: "the port is taken" }, () => process.exit(1));
  else process.kill(process.pid, "SIGKILL");`,
);

cluster.setupPrimary({ exec: program, args: [], execArgv: [] });
/** Processes are started in all of these tests, which takes seconds on a busy machine. */
vi.setConfig({ testTimeout: 90_000 });
const soon = { timeout: 60_000 };

const running = () =>
  Object.values(cluster.workers ?? {}).flatMap((worker) =>
    worker && !worker.isDead() ? (worker.process.pid ?? []) : [],
  );
const timesBegun = () => journalLines().filter((line) => line.startsWith("begin")).length;
const journalLines = () => readFileSync(journal, "utf8").trimEnd().split("\n");

afterAll(() => {
  rmSync(folder, { recursive: true });
});

let stop: () => Promise<void> = () => Promise.resolve();
afterEach(async () => {
  await stop();
});

function createTestCrew(startsAs: string) {
  writeFileSync(mode, startsAs);
  writeFileSync(journal, "");
  const onHopeless = vi.fn();
  const ending = { isEnding: false };
  const assignment = { databaseUrl: "postgres://given", probeUrls: [] };
  const crew = createCrew({ size: 2, assignment, isEnding: () => ending.isEnding, onHopeless });
  stop = async () => {
    await crew.stop();
    expect(running()).toEqual([]);
  };
  return { crew, onHopeless, ending };
}

test("a crew serves when all its workers do, and each is asked to stop", async () => {
  const { crew } = createTestCrew("serve");
  await crew.start();
  const workers = running();
  expect(workers).toHaveLength(2);
  await crew.stop();
  expect(journalLines().slice(2).sort()).toEqual(workers.map((id) => `stop ${id}`).sort());
});

test("a worker that ends with the service, before its crew is stopped, has no successor", async () => {
  const { crew, ending } = createTestCrew("serve");
  await crew.start();
  const [first = 0, second] = running();
  ending.isEnding = true;
  process.kill(first, "SIGTERM");
  await expect.poll(running, soon).toEqual([second]);
  await crew.stop();
  expect(timesBegun()).toBe(2);
});

test.each([
  ["refuse", "the port is taken"],
  ["die", "it ended with SIGKILL"],
])("a first start whose workers %s fails in their words", async (startsAs, words) => {
  const { crew, onHopeless } = createTestCrew(startsAs);
  await expect(crew.start()).rejects.toThrow(words);
  expect(onHopeless).not.toHaveBeenCalled();
});

test("a lost worker is replaced at once; one that cannot be is given up after three attempts", async () => {
  const { crew, onHopeless } = createTestCrew("serve");
  await crew.start();
  const [lost = 0, other = 0] = running();
  process.kill(lost, "SIGKILL");
  await expect.poll(timesBegun, soon).toBe(3);
  expect(running()).not.toContain(lost);
  writeFileSync(mode, "refuse");
  const started = vi.spyOn(cluster, "fork");
  process.kill(other, "SIGKILL");
  await expect.poll(() => onHopeless.mock.calls, soon).toEqual([[new Error("the port is taken")]]);
  expect(started).toHaveBeenCalledTimes(3);
  started.mockRestore();
});

test("each worker is replaced only when its successor serves, and one at a time", async () => {
  const { crew } = createTestCrew("serve");
  await crew.start();
  const old = running();
  expect(await crew.replaceAll()).toBeUndefined();
  expect(journalLines().map((line) => line.split(" ")[0])).toEqual([
    "begin",
    "begin",
    ...["begin", "retire"],
    ...["begin", "retire"],
  ]);
  expect(running().filter((id) => old.includes(id))).toEqual([]);
  expect(running()).toHaveLength(2);
});

test("when a successor cannot start, the workers from before go on, and a lost one is still replaced", async () => {
  const { crew, onHopeless } = createTestCrew("serve");
  await crew.start();
  const old = running();
  writeFileSync(mode, "refuse");
  expect(await crew.replaceAll()).toBe("the port is taken");
  expect(running()).toEqual(old);
  writeFileSync(mode, "serve");
  process.kill(old[0] ?? 0, "SIGKILL");
  await expect.poll(timesBegun, soon).toBe(3);
  expect(onHopeless).not.toHaveBeenCalled();
});
