import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, onTestFinished } from "vitest";

import { openEmbedded } from "@/db/embedded";
import { connectOnce } from "@/db/embedded-connection";

/** A folder that the user of PostgreSQL can enter. */
export function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "imprint-embedded-"));
  chmodSync(folder, 0o755);
  return folder;
}

/** An empty folder, and the path to which the test may move it. Both are removed after the test. */
export function makeMovableDataDir(): { dataDir: string; moved: string } {
  const dataDir = makeDataDir();
  const moved = `${dataDir}.moved`;
  onTestFinished(() => {
    for (const folder of [dataDir, moved]) rmSync(folder, { recursive: true, force: true });
  });
  return { dataDir, moved };
}

/** Runs one statement on a connection of its own. */
export async function queryOnce(url: string, text: string) {
  const sql = connectOnce(url);
  try {
    return await sql.unsafe(text);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Copies a data directory with everything in it. */
export function copyDataDir(from: string, to: string): void {
  execFileSync("cp", ["-a", `${from}/.`, to]);
}

/**
 * Makes one data directory for the tests of a file, after its first start, which takes most of their time. Returns how
 * to fill an empty one with a copy of it.
 */
export function useStartedDataDir(): (dataDir: string) => void {
  const started = makeDataDir();
  beforeAll(async () => {
    const server = await openEmbedded({ dataDir: started, binDir: undefined });
    await server.close();
  });
  afterAll(() => {
    rmSync(started, { recursive: true });
  });
  return (dataDir) => {
    copyDataDir(started, dataDir);
  };
}
