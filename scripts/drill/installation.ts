import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

import { openEmbedded } from "@/db/embedded";
import type { CleanUp } from "../common/command";
import { environmentWith, runAdmin } from "../common/processes";
import { makeDataDir } from "../common/service";

export const PASSPHRASE = "a passphrase of the drill";

export type Step = (line: string) => void;

/** Fails if a step of the drill has an unexpected result. */
export function expectEqual(found: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

export const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Environment of an installation's commands and service. */
export const environmentOf = (dataDir: string, variables: Record<string, string> = {}): NodeJS.ProcessEnv =>
  environmentWith({
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    BACKUP_PASSPHRASE: PASSPHRASE,
    LOG_LEVEL: "error",
    ...variables,
  });

/** Creates a data directory with an embedded database filled by `fill`. */
export async function makeInstallation(
  cleanUp: CleanUp,
  secrets: object,
  fill: (url: string) => Promise<void>,
): Promise<string> {
  const dataDir = makeDataDir(cleanUp);
  fs.writeFileSync(path.join(dataDir, "secrets.json"), JSON.stringify(secrets), { mode: 0o600 });
  const server = await openEmbedded({ dataDir, binDir: undefined });
  try {
    await fill(server.url);
  } finally {
    await server.close();
  }
  return dataDir;
}

/** Backs up an installation and verifies the whole backup; returns the file. */
export async function backUp(env: NodeJS.ProcessEnv, folder: string, step: Step): Promise<string> {
  const file = path.join(folder, `${Date.now()}.backup`);
  const made = new Map(Object.entries((await runAdmin(["backup", "--to", file, "--verify"], env)) ?? {}));
  expectEqual([made.get("encrypted"), made.get("verified")], [true, true], "the backup");
  step(`backed up ${String(made.get("rows"))} rows in ${String(made.get("bytes"))} bytes, verified`);
  return file;
}

/** Restores a backup and compares each table with it by hash. */
export async function restore(env: NodeJS.ProcessEnv, file: string, step: Step): Promise<void> {
  const restored = new Map(Object.entries((await runAdmin(["restore", "--from", file, "--verify"], env)) ?? {}));
  expectEqual([restored.get("restored"), restored.get("verified")], [true, true], "the restored tables");
  step(
    `restored ${String(restored.get("rows"))} rows in ${String(restored.get("seconds"))} s: every table has its hash`,
  );
}

/** Simulates the loss of the disk. */
export function destroy(dataDir: string, step: Step): void {
  fs.rmSync(dataDir, { recursive: true, force: true });
  step("destroyed the data directory");
}
