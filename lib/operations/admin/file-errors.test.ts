import { lstatSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { runAdmin } from "./index";

const { db, url } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), "imprint-admin-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const installation = {
  dataDir: folder,
  callerFolder: folder,
  migrationsFolder: "db/migrations",
  version: "1",
  isEmbedded: false,
  binDir: undefined,
  givenSecrets: { AUTH_SECRET: "a", KEY_PEPPER: "k1:AAAA", KEKS: "k1:AAAA" },
  openServer: () => Promise.resolve(url),
  compareSecrets: () => Promise.resolve([]),
  claim: () => undefined,
  signal: new AbortController().signal,
  output: process.stderr,
};

/** The exit code and everything printed. */
async function run(line: string) {
  let printed = "";
  const sink = { write: (text: string) => (printed += text) };
  const code = await runAdmin([...line.split(" "), "--json"], {
    migrationsFolder: "db/migrations",
    openDatabase: () => Promise.resolve(db),
    installation,
    stdout: sink,
    stderr: sink,
  });
  return { code, printed };
}

test.each([
  ["backup --unencrypted --to missing/a.backup", "ENOENT: no such file or directory, open"],
  ["backup --unencrypted --to file/a.backup", "ENOTDIR: not a directory, "],
  ["backup --verify --from .", "EISDIR: illegal operation on a directory, read"],
])("%s: a system error is reported in the system's words, as one object", async (line, message) => {
  writeFileSync(join(folder, "file"), "");
  const { code, printed } = await run(line);
  expect(code).toBe(1);
  const { error } = JSON.parse(printed) as { error: { code: string; message: string } };
  expect(error.code).toBe("conflict");
  expect(error.message).toContain(message);
});

test("a backup never replaces a symlink, even a dangling one", async () => {
  symlinkSync("nothing", join(folder, "link"));
  const { code, printed } = await run("backup --unencrypted --to link");
  expect(code).toBe(1);
  expect(printed).toContain("a backup never replaces a file");
  expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
});
