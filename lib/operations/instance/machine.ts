import { stat, statfs } from "node:fs/promises";

import { howToFree } from "@/db/full-disk.mjs";
import { type CheckResult, fail, ok, warn } from "./domain/check-result";

const MIN_FREE_GIGABYTES = 2;
/** Below this, a checkpoint or a vacuum can fail. */
const FULL_GIGABYTES = 0.3;
const MIN_NODE = [20, 19] as const;

/** Checks the permissions of the generated secrets file. */
export async function checkSecretsFile(path: string | undefined): Promise<CheckResult> {
  const name = "secrets-file";
  if (path === undefined) return ok(name, "The secrets come from the environment.");
  const found = await stat(path).catch(() => undefined);
  if (!found) return fail(name, `${path} cannot be read.`, "Restore it from a backup: without it no key works.");
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0) {
    return fail(name, `Other users of this machine can read ${path}.`, `chmod 600 ${path}`);
  }
  return ok(name, `The secrets are in ${path}, readable only by its owner. Back it up with the database.`);
}

export async function checkDisk(folder: string): Promise<CheckResult> {
  const name = "disk";
  const disk = await statfs(folder).catch(() => undefined);
  if (!disk) return warn(name, `${folder} does not exist yet.`, "Start the service, or see DATA_DIR.");
  if (disk.files > 0 && disk.ffree === 0)
    return fail(name, `The disk of ${folder} has no inodes free.`, howToFree(folder));
  const freeGigabytes = (disk.bavail * disk.bsize) / 1e9;
  const text = `${freeGigabytes.toFixed(1)} GB are free for ${folder}.`;
  if (freeGigabytes >= MIN_FREE_GIGABYTES) return ok(name, text);
  if (freeGigabytes < FULL_GIGABYTES) return fail(name, text, howToFree(folder));
  return warn(name, text, "Free space, or lower RETENTION_DAYS and SIGNALS_RETENTION_DAYS.");
}

export function checkNode(version: string): CheckResult {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isRecentEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  if (isRecentEnough) return ok("node", `Node ${version}.`);
  return fail("node", `Node ${version} is too old.`, `Install Node ${MIN_NODE.join(".")} or later.`);
}
