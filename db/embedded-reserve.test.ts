import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { keepReserve } from "./embedded-reserve";
import { howToFree } from "./full-disk.mjs";

const MEBIBYTE = 1024 * 1024;

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "imprint-reserve-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test("the reserve takes its space on the disk, is made once, and is named as the first thing to remove", async () => {
  const folder = makeFolder();
  expect(howToFree(folder)).toMatch(/^Remove what does not belong/);
  expect(await keepReserve(folder, MEBIBYTE)).toBe("made");
  const { size, blocks } = statSync(join(folder, "reserve"));
  expect([size, blocks * 512 >= MEBIBYTE]).toEqual([MEBIBYTE, true]);
  expect(await keepReserve(folder, MEBIBYTE)).toBe("kept");
  expect(howToFree(folder)).toContain(`Remove ${join(folder, "reserve")}, which is kept for this`);
});

test("no reserve is made on a disk on which it would be a large part of what is free", async () => {
  const folder = makeFolder();
  expect(await keepReserve(folder, 2 ** 50)).toBe("no room");
  expect(readdirSync(folder)).toEqual([]);
});
