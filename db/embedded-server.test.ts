import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { initialise, sharedMegabytes } from "./embedded-server";

const GIGABYTE = 1024 ** 3;

test.each([
  ["an eighth of the machine", 8 * GIGABYTE, 0, 1024],
  ["an eighth of a container's memory limit", 64 * GIGABYTE, 4 * GIGABYTE, 512],
  ["at least PostgreSQL's default", GIGABYTE / 2, 0, 128],
  ["at most two gigabytes", 256 * GIGABYTE, 0, 2048],
  ["a limit above the physical memory is ignored", 8 * GIGABYTE, 2 ** 63, 1024],
])("shared_buffers of the embedded server: %s", (_, totalBytes, allowedBytes, expected) => {
  expect(sharedMegabytes(totalBytes, allowedBytes)).toBe(expected);
});

test("a disk without room for a new database is named with what to do, and nothing is left that looks like one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "imprint-server-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const programs = join(folder, "programs");
  const cluster = { folder: join(folder, "postgres"), programs, account: undefined, disposable: false };
  mkdirSync(programs);
  mkdirSync(cluster.folder);
  // As PostgreSQL 18 ends on a full tmpfs.
  const printed = 'FATAL:  could not extend file "base/1/2691": No space left on device';
  writeFileSync(join(programs, "initdb"), `#!/bin/sh\necho '${printed}' >&2\nexit 1\n`, { mode: 0o755 });
  await expect(initialise(cluster, "password")).rejects.toThrow(
    `PostgreSQL could not create its files in ${cluster.folder}/data.new: its disk is full, and a new database takes about 70 MB. Free space there, or set DATA_DIR to a folder on a larger disk.\n${printed}`,
  );
  expect(readdirSync(cluster.folder)).toEqual([]);
});
