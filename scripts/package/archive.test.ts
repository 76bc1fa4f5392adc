import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { writeArchive } from "./archive";
import { type Entry, fileEntry, textEntry } from "./entries";

const LONG = `static/${"chunk-".repeat(40)}.js`;

test("equal entries make equal archives, regardless of file owners and times, and sha256sum verifies them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "imprint-archive-"));
  const write = async (name: string, mode: number) => {
    const source = join(folder, `${name}.txt`);
    writeFileSync(source, "contents", { mode });
    const entries: Entry[] = [
      textEntry("bin/imprint", "#!/bin/sh\n", true),
      { ...fileEntry(source), name: "docs/a.md" },
      { name: "lib/libpq.so", isExecutable: false, kind: "link", target: "libpq.so.5", bytes: 0 },
      textEntry(LONG, "1"),
    ];
    return writeArchive(join(folder, `${name}.tar.gz`), { top: "imprint", entries, mtime: new Date(1e12) });
  };
  try {
    const [first, second] = [await write("first", 0o600), await write("second", 0o664)];
    expect(second).toEqual(first);
    expect(readFileSync(join(folder, "first.tar.gz"))).toEqual(readFileSync(join(folder, "second.tar.gz")));
    execFileSync("sha256sum", ["--check", "--quiet", "first.tar.gz.sha256"], { cwd: folder });
    const listed = execFileSync("tar", ["--utc", "-tvzf", "first.tar.gz"], { cwd: folder, encoding: "utf8" });
    const lines = listed.trim().split("\n");
    expect(lines.map((line) => line.replace(/ +/g, " "))).toEqual([
      "drwxr-xr-x root/root 0 2001-09-09 01:46 imprint/",
      "drwxr-xr-x root/root 0 2001-09-09 01:46 imprint/bin/",
      "drwxr-xr-x root/root 0 2001-09-09 01:46 imprint/docs/",
      "drwxr-xr-x root/root 0 2001-09-09 01:46 imprint/lib/",
      "drwxr-xr-x root/root 0 2001-09-09 01:46 imprint/static/",
      "-rwxr-xr-x root/root 10 2001-09-09 01:46 imprint/bin/imprint",
      "-rw-r--r-- root/root 8 2001-09-09 01:46 imprint/docs/a.md",
      "lrwxrwxrwx root/root 0 2001-09-09 01:46 imprint/lib/libpq.so -> libpq.so.5",
      `-rw-r--r-- root/root 1 2001-09-09 01:46 imprint/${LONG}`,
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
