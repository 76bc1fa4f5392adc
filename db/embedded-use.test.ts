import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";

import { refuseUseElsewhere, showUse } from "./embedded-use";

const WATCH_MS = 30;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "imprint-use-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A file of a namespace that no process here has. */
const fileElsewhere = () => {
  const file = join(folder, "in-use.1");
  writeFileSync(file, "");
  return file;
};

test("a database that a process of another namespace uses is refused, whatever its clock shows", async () => {
  const file = fileElsewhere();
  let at = 0;
  const timer = setInterval(() => {
    utimesSync(file, at, at);
    at += 1;
  }, 10);
  onTestFinished(() => {
    clearInterval(timer);
  });
  await expect(refuseUseElsewhere(folder)).rejects.toThrow(/in use in another container.*docker exec/);
});

test("what a process of another namespace left when it was killed is removed, and the database can be used", async () => {
  fileElsewhere();
  await refuseUseElsewhere(folder, undefined, WATCH_MS);
  expect(readdirSync(folder)).toEqual([]);
});

test("use in this namespace is no obstacle, and is shown until the server has ended", async () => {
  let isServed = true;
  const end = showUse(folder, () => isServed);
  expect(readdirSync(folder)).toHaveLength(1);
  await refuseUseElsewhere(folder, undefined, 0);
  expect(readdirSync(folder)).toHaveLength(1);
  end();
  expect(readdirSync(folder)).toHaveLength(1);
  isServed = false;
  end();
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that is gone is not created again", async () => {
  rmSync(folder, { recursive: true });
  showUse(folder, () => false)();
  expect(() => readdirSync(folder)).toThrow("ENOENT");
  writeFileSync(folder, "a file in its place");
  showUse(folder, () => false)();
  expect(readFileSync(folder, "utf8")).toBe("a file in its place");
  await refuseUseElsewhere(folder);
});
