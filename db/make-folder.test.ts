import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterEach, beforeEach, expect, test } from "vitest";

import { makeFolder, prepareDataDir } from "./make-folder.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "imprint-folder-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("a folder and its parents are created with the given mode; existing ones are kept", () => {
  const deep = join(folder, "a/b/c");
  makeFolder(deep, 0o700);
  makeFolder(deep, 0o711);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
  prepareDataDir(join(folder, "data"));
  expect(readdirSync(join(folder, "data"))).toEqual([]);
});

test("with a umask of 0, other users of the machine cannot replace the files in a data directory that was created", () => {
  const mask = process.umask(0);
  try {
    prepareDataDir(join(folder, "data"));
  } finally {
    process.umask(mask);
  }
  expect(statSync(join(folder, "data")).mode & 0o022).toBe(0);
});

// In a process of its own, since a call that never returns would block this one.
const call = (name: string, at: string) =>
  promisify(execFile)(
    process.execPath,
    [
      "-e",
      `import(${JSON.stringify(join(import.meta.dirname, "make-folder.mjs"))}).then((m) => m.${name}(${JSON.stringify(at)}))`,
    ],
    { timeout: 20_000 },
  );

test.runIf(process.platform === "linux")(
  "a folder that the file system refuses to create is an error, not a hang",
  async () => {
    await expect(call("makeFolder", "/proc/imprint/data")).rejects.toMatchObject({
      killed: false,
      stderr: expect.stringMatching(/ENOENT.*mkdir '\/proc\/imprint'/) as string,
    });
    await expect(call("prepareDataDir", "/proc/imprint/data")).rejects.toMatchObject({
      killed: false,
      stderr: expect.stringContaining(
        "DATA_DIR /proc/imprint/data cannot be used: ENOENT. Set it to a folder",
      ) as string,
    });
  },
);

test("a data directory that is a file, or below one, is refused by name", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  for (const [dataDir, code] of [
    [file, "EEXIST"],
    [join(file, "data"), "ENOTDIR"],
  ] as const)
    expect(() => {
      prepareDataDir(dataDir);
    }).toThrow(`DATA_DIR ${dataDir} cannot be used: ${code}. Set it to a folder`);
});
