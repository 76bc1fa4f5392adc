import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { MIN_HEAP } from "./heap.mjs";
import { NODE_FLAGS } from "./node-flags.mjs";

const dataDir = join(tmpdir(), `imprint-heap-${process.pid}`);

/** Runs `code` with a heap of so many megabytes, as an operator limits it. */
const run = (megabytes: number, args: readonly string[]) =>
  spawnSync(process.execPath, [...NODE_FLAGS, ...args], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: `--max-old-space-size=${megabytes}`, DATA_DIR: dataDir, DATABASE_URL: "" },
  });

test("a start with too small a heap is refused before anything is created, with what is needed and how to give it", () => {
  const { status, stderr } = run(32, ["scripts/start.mjs"]);
  expect(stderr.trim()).toBe(
    `Imprint could not start: each of its processes needs a heap of ${MIN_HEAP} MB, and Node allows 32 here. Raise --max-old-space-size in NODE_OPTIONS, or remove it (docs/operations.md, "Memory").`,
  );
  expect(status).toBe(1);
  expect(existsSync(dataDir)).toBe(false);
});

test("the smallest heap that is said to suffice is accepted", () => {
  const check = [
    "--input-type=module",
    "--eval",
    'import("./scripts/start/heap.mjs").then((m) => m.refuseSmallHeap())',
  ];
  expect(run(MIN_HEAP, check)).toMatchObject({ status: 0, stderr: "" });
  expect(run(MIN_HEAP - 1, check).status).toBe(1);
});
