import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, expect, onTestFinished, test } from "vitest";

import { env } from "./env";
import { createLog } from "./log";
import { readLogChange, watchLogChanges, writeLogChange } from "./log-file";
import { changeLogSettings, followLevel, logSettings } from "./log-settings";

afterEach(() => {
  changeLogSettings({});
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "imprint-log-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

test("a change reaches every logger of the process, and ends by expiry or by a reset", async () => {
  const folder = makeFolder();
  const logger = createLog({ write: () => undefined });
  followLevel(logger);
  const watching = watchLogChanges(folder);
  onTestFinished(watching.close);
  expect(logSettings()).toEqual({ level: env.LOG_LEVEL, access: false, slowMs: 1_000 });
  writeLogChange(folder, { level: "debug", access: true, until: Date.now() + 60_000 });
  await expect.poll(() => logger.level, { timeout: 10_000 }).toBe("debug");
  expect(logSettings()).toEqual({ level: "debug", access: true, slowMs: 1_000 });
  writeLogChange(folder, { slowMs: 5, until: Date.now() + 1_500 });
  await expect.poll(() => logSettings().slowMs, { timeout: 10_000 }).toBe(5);
  await expect.poll(() => logSettings().slowMs, { timeout: 10_000 }).toBe(1_000);
  expect(logger.level).toBe(env.LOG_LEVEL);
});

test("a change that cannot be written leaves nothing behind", () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "log.json", "taken"), { recursive: true });
  const write = () => {
    writeLogChange(folder, { level: "debug", until: Date.now() + 60_000 });
  };
  expect(write).toThrow(join(folder, "log.json"));
  expect(readdirSync(folder)).toEqual(["log.json"]);
});

test("an invalid or expired file changes nothing", () => {
  const folder = makeFolder();
  const far = Date.now() + 60_000;
  const broken = [
    "",
    "{",
    "null",
    "[]",
    `{"level":"debug"}`,
    `{"level":"loud","until":${far}}`,
    `{"until":${far},"x":1}`,
  ];
  for (const text of [...broken, `{"level":"debug","until":1}`]) {
    writeFileSync(join(folder, "log.json"), text);
    expect(readLogChange(folder, Date.now()), text).toBeUndefined();
  }
  const watching = watchLogChanges(folder);
  onTestFinished(watching.close);
  expect(logSettings().level).toBe(env.LOG_LEVEL);
});
