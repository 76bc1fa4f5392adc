import { execFileSync, spawn } from "node:child_process";
import { getPriority } from "node:os";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { lowerPriority, schedulerOf } from "./lower-priority";

test("a process takes the given priority, and keeps a lower one", () => {
  let nice = 0;
  const scheduler = { get: () => nice, set: (given: number) => void (nice = given) };
  lowerPriority(10, scheduler);
  expect(nice).toBe(10);
  lowerPriority(5, scheduler);
  expect(nice).toBe(10);
});

test("a process goes on where no priority may be set", () => {
  const refused: number[] = [];
  const set = (nice: number) => {
    refused.push(nice);
    throw new Error("operation not permitted");
  };
  lowerPriority(10, { get: () => 0, set });
  expect(refused).toEqual([10]);
});

test("another process takes the given priority; one that has ended is left alone", async () => {
  const child = spawn(process.execPath, ["--eval", "process.stdin.resume()"]);
  const pid = child.pid ?? 0;
  lowerPriority(19, schedulerOf(pid));
  expect(getPriority(pid)).toBe(19);
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill();
  await ended;
  lowerPriority(19, schedulerOf(pid));
});

test("the operating system has the priority afterwards", () => {
  const file = fileURLToPath(new URL("lower-priority.ts", import.meta.url));
  // A process of its own, since only privileged ones can raise their priority again. This one may have the lowest.
  const script = `
    const { getPriority, setPriority } = require("node:os");
    try { setPriority(0); } catch {}
    const nice = Math.min(getPriority() + 1, 19);
    require(${JSON.stringify(file)}).lowerPriority(nice);
    console.log(JSON.stringify({ nice, priority: getPriority() }));`;
  const printed = execFileSync(process.execPath, ["--require", "tsx/cjs", "--eval", script], { encoding: "utf8" });
  const { nice, priority } = JSON.parse(printed) as { nice: number; priority: number };
  expect(priority).toBe(nice);
});

test.runIf(process.platform === "linux")("every thread has it, those that already run included", () => {
  const file = fileURLToPath(new URL("lower-priority.ts", import.meta.url));
  // Reading a file starts the threads of the pool.
  const script = `
    const { getPriority } = require("node:os");
    const { readdirSync, readFile } = require("node:fs");
    readFile("/proc/self/stat", () => {
      require(${JSON.stringify(file)}).lowerPriorityOfThreads(19);
      console.log(JSON.stringify(readdirSync("/proc/self/task").map((id) => getPriority(Number(id)))));
    });`;
  const printed = execFileSync(process.execPath, ["--require", "tsx/cjs", "--eval", script], { encoding: "utf8" });
  const priorities = JSON.parse(printed) as number[];
  expect(priorities.length).toBeGreaterThan(4);
  expect(new Set(priorities)).toEqual(new Set([19]));
});
