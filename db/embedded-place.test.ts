import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { requireDatabase } from "./embedded-place";

test("a data directory without an installation is refused with what it may mean, and nothing is created there", () => {
  const folder = mkdtempSync(join(tmpdir(), "imprint-place-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const missing = join(folder, "missing");
  expect(() => {
    requireDatabase(folder);
  }).toThrow(`${folder} contains no installation. If one is expected there, is its volume mounted?`);
  expect(() => {
    requireDatabase(missing);
  }).toThrow(`${missing} does not exist. If one is expected there, is its volume mounted?`);
  expect(readdirSync(folder)).toEqual([]);
});
