import { lstatSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { FULL_DISK } from "@/test/full-disk";
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
async function run(
  line: string,
  openDatabase = () => Promise.resolve(db),
  given: Partial<Parameters<typeof runAdmin>[1]> = {},
) {
  let printed = "";
  const sink = { write: (text: string) => (printed += text) };
  const code = await runAdmin([...line.split(" "), "--json"], {
    migrationsFolder: "db/migrations",
    openDatabase,
    installation,
    stdout: sink,
    stderr: sink,
    ...given,
  });
  return { code, printed };
}

test.each([
  ["backup --unencrypted --to missing/a.backup", "missing does not exist, or is not a folder in which files can"],
  ["backup --unencrypted --to file/a.backup", "ENOTDIR: not a directory, "],
  ["backup --verify --from .", "EISDIR: illegal operation on a directory, read"],
])("%s: a system error is reported with its reason, as one object", async (line, message) => {
  writeFileSync(join(folder, "file"), "");
  const { code, printed } = await run(line);
  expect(code).toBe(1);
  const { error } = JSON.parse(printed) as { error: { code: string; message: string } };
  expect(error.code).toBe("conflict");
  expect(error.message).toContain(message);
});

test("a database that answers that its disk is full is not said to be unreachable", async () => {
  const { code, printed } = await run("workspace list", () =>
    Promise.reject(Object.assign(new Error("could not extend file"), { code: "53100" })),
  );
  expect(code).toBe(1);
  expect(JSON.parse(printed)).toEqual({
    error: {
      code: "service_unavailable",
      message: "The database could not do this: its disk is full, 53100. See the server's log.",
    },
  });
});

test("if the disk of the embedded database is full, the message says so and what to do, however the server failed", async () => {
  const { printed } = await run(
    "workspace list",
    () => Promise.reject(Object.assign(new Error("closed"), { code: "CONNECTION_CLOSED" })),
    { isEmbedded: true, installation: { ...installation, dataDir: FULL_DISK } },
  );
  expect(printed).toContain(`The disk of ${FULL_DISK} is full (`);
  expect(printed).toContain("Remove what does not belong to Imprint");
});

test("a backup never replaces a symlink, even a dangling one", async () => {
  symlinkSync("nothing", join(folder, "link"));
  const { code, printed } = await run("backup --unencrypted --to link");
  expect(code).toBe(1);
  expect(printed).toContain("a backup never replaces a file");
  expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
});
