import { execFile, spawn } from "node:child_process";
import fs, { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { lockHolder, tryLock, waitForLock } from "./file-lock.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "imprint-lock-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const MODULE = join(import.meta.dirname, "file-lock.mjs");
const run = promisify(execFile);

test("a held lock is refused to others, names its holder, and is available after release", () => {
  const lock = tryLock(folder, "work", { port: 1 });
  expect(tryLock(folder, "work")).toBeUndefined();
  lock?.update({ port: 2 });
  expect(lockHolder(folder, "work")).toMatchObject({ pid: process.pid, info: { port: 2 } });
  lock?.release();
  expect(lockHolder(folder, "work")).toBeUndefined();
  expect(tryLock(folder, "work")).toBeDefined();
});

test("a folder that cannot exist, below a file, has no holder", () => {
  writeFileSync(join(folder, "file"), "");
  expect(lockHolder(join(folder, "file"), "work")).toBeUndefined();
  expect(lockHolder(join(folder, "file/below"), "work")).toBeUndefined();
});

test("a lock whose folder is gone is released without an error, and taking it does not create the folder", () => {
  const gone = join(folder, "gone");
  mkdirSync(gone);
  const lock = tryLock(gone, "work");
  rmSync(gone, { recursive: true });
  lock?.release();
  expect(lockHolder(gone, "work")).toBeUndefined();
  expect(() => tryLock(gone, "work")).toThrow("ENOENT");
  expect(existsSync(gone)).toBe(false);
});

test("a lock can be released on a full disk", () => {
  const lock = tryLock(folder, "work");
  const full = vi.spyOn(fs, "writeFileSync").mockImplementation(() => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  });
  lock?.release();
  full.mockRestore();
  expect(tryLock(folder, "work")).toBeDefined();
});

test("waiting for a lock ends when it is interrupted", async () => {
  tryLock(folder, "work");
  const stopping = new AbortController();
  const waiting = waitForLock(folder, "work", { timeoutMs: 60_000, signal: stopping.signal });
  stopping.abort();
  await expect(waiting).rejects.toThrow("aborted");
});

test("the lock of a killed process is taken over", async () => {
  const script = `import { tryLock } from ${JSON.stringify(MODULE)}; tryLock(${JSON.stringify(folder)}, "work"); console.log("held"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  expect(tryLock(folder, "work")).toBeUndefined();
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
  expect(tryLock(folder, "work")).toBeDefined();
});

test("a process that reuses a dead holder's id does not hold its lock", () => {
  writeFileSync(join(folder, "work.7.lock"), JSON.stringify({ pid: process.pid, birth: "0", info: {} }));
  expect(tryLock(folder, "work")).toBeDefined();
});

test("waiting for a lock that is never released fails with the holder's process id", async () => {
  tryLock(folder, "work");
  await expect(waitForLock(folder, "work", { timeoutMs: 120 })).rejects.toThrow(`Process ${process.pid} has held`);
});

test("no two of eight processes ever hold the lock together, although some die holding it", async () => {
  const counter = join(folder, "counter");
  writeFileSync(counter, "0");
  const script = `
    import fs from "node:fs";
    import { waitForLock } from ${JSON.stringify(MODULE)};
    for (let round = 0; round < 12; round += 1) {
      const lock = await waitForLock(${JSON.stringify(folder)}, "work", { timeoutMs: 15000 });
      const before = Number(fs.readFileSync(${JSON.stringify(counter)}, "utf8"));
      await new Promise((resolve) => setImmediate(resolve));
      fs.writeFileSync(${JSON.stringify(counter)}, String(before + 1));
      if (round === 11 && process.argv[1] === "dies") process.exit(0);
      lock.release();
    }`;
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      run(process.execPath, ["--input-type=module", "-e", script, index % 2 ? "dies" : "ends"]),
    ),
  );
  expect(readFileSync(counter, "utf8")).toBe(String(8 * 12));
});

test("a killed holder that is still a zombie does not hold the lock", async () => {
  // The shell never waits for its child, so the killed child stays a zombie.
  const script = `import { tryLock } from ${JSON.stringify(MODULE)}; tryLock(${JSON.stringify(folder)}, "work"); console.log(process.pid); setInterval(() => {}, 1000);`;
  const shell = spawn("sh", ["-c", `"${process.execPath}" --input-type=module -e "$0" & exec sleep 30`, script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const id = Number(await new Promise((resolve) => shell.stdout.once("data", resolve)));
  expect(tryLock(folder, "work")).toBeUndefined();
  process.kill(id, "SIGKILL");
  await expect.poll(() => readFileSync(`/proc/${id}/stat`, "utf8")).toContain(") Z ");
  expect(tryLock(folder, "work")).toBeDefined();
  shell.kill("SIGKILL");
});
