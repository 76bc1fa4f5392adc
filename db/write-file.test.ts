import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { afterEach, beforeEach, expect, test } from "vitest";

import { writeWholeFile } from "./write-file.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "imprint-write-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const file = () => join(folder, "secrets.json");
const read = () => readFileSync(file(), "utf8");

test("a file is replaced, or created once", () => {
  writeWholeFile(file(), "first", { mode: 0o600, isNew: true });
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  const again = () => {
    writeWholeFile(file(), "second", { mode: 0o600, isNew: true });
  };
  expect(again).toThrow(expect.objectContaining({ code: "EEXIST" }));
  expect(read()).toBe("first");
  writeWholeFile(file(), "third", { mode: 0o600 });
  expect([read(), readdirSync(folder)]).toEqual(["third", ["secrets.json"]]);
});

test("a disk that takes only a part leaves the former file and nothing else, and the error names the file", () => {
  writeWholeFile(file(), "former", { mode: 0o600 });
  const program = `
    const { writeWholeFile } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, "write-file.mjs")))});
    try {
      writeWholeFile(process.argv[1], "x".repeat(100_000), { mode: 0o600 });
    } catch (error) {
      process.stdout.write(error.code + " " + error.message);
    }`;
  const limited = 'ulimit -f 8; exec "$0" --input-type=module --eval "$1" "$2"';
  const printed = execFileSync("sh", ["-c", limited, process.execPath, program, file()], { encoding: "utf8" });
  expect(printed).toBe(`EFBIG EFBIG: file too large, write '${file()}'`);
  expect([read(), readdirSync(folder)]).toEqual(["former", ["secrets.json"]]);
});
