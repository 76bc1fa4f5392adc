import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { makeOwnedFolder } from "./owned-folder";

const PREFIX = "imprint-owned-";

function makeParent(): string {
  const parent = mkdtempSync(join(tmpdir(), "imprint-parent-"));
  onTestFinished(() => {
    rmSync(parent, { recursive: true });
  });
  return parent;
}

test("only this user may enter the folder, and others that still run keep theirs", () => {
  const parent = makeParent();
  const [first, second] = [makeOwnedFolder(parent, PREFIX), makeOwnedFolder(parent, PREFIX)];
  expect(statSync(first).mode & 0o777).toBe(0o700);
  expect(readdirSync(parent).sort()).toEqual([first, second].map((folder) => basename(folder)).sort());
});

test("the folders of killed processes are removed; those of other containers, kinds and without an owner are not", () => {
  const parent = makeParent();
  const own = makeOwnedFolder(parent, PREFIX);
  const owner = JSON.parse(readFileSync(join(own, "owner"), "utf8")) as Record<string, unknown>;
  const { pid: ended } = spawnSync(process.execPath, ["--version"]);
  const make = (name: string, text: string) => {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, "owner"), text);
    writeFileSync(join(parent, name, "socket"), "");
  };
  make(`${PREFIX}ended`, JSON.stringify({ ...owner, id: ended, birth: "1" }));
  make(`${PREFIX}reused`, JSON.stringify({ ...owner, birth: "1" }));
  make(`${PREFIX}container`, JSON.stringify({ ...owner, namespace: "pid:[1]", id: ended }));
  make(`${PREFIX}torn`, "{");
  make("another-ended", JSON.stringify({ ...owner, id: ended, birth: "1" }));
  mkdirSync(join(parent, `${PREFIX}new`));
  makeOwnedFolder(parent, PREFIX);
  expect(existsSync(own)).toBe(true);
  const left = readdirSync(parent).filter((name) => /ended|reused|container|torn|new$/.test(name));
  expect(left.sort()).toEqual([`${PREFIX}container`, `${PREFIX}new`, `${PREFIX}torn`, "another-ended"].sort());
});
