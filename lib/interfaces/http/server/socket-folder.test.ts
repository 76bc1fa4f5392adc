import { rmSync, statSync } from "node:fs";

import { afterEach, expect, test, vi } from "vitest";

import { makeSocketFolder } from "./socket-folder";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("only this user may enter the folder of the socket to the pages process", () => {
  const folder = makeSocketFolder();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  rmSync(folder, { recursive: true });
});

test("a TMPDIR in which nothing can be made is refused by the name of the variable", () => {
  vi.stubEnv("TMPDIR", "/nowhere");
  expect(makeSocketFolder).toThrow("No folder can be made in /nowhere (ENOENT). Set TMPDIR to a folder");
});
