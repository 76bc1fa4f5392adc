import { stat, statfs } from "node:fs/promises";

import { howToFree } from "@/db/full-disk.mjs";
import type { Fact } from "./domain/fact";

const MIN_FREE_GIGABYTES = 2;
/** Below this, a checkpoint or a vacuum can fail. */
const FULL_GIGABYTES = 0.3;
const MIN_NODE = [20, 19] as const;

/** Checks the permissions of the generated secrets file. */
export async function checkSecretsFile(path: string | undefined): Promise<Fact> {
  const name = "secrets-file";
  if (path === undefined) return { name, status: "ok", text: "The secrets come from the environment." };
  const found = await stat(path).catch(() => undefined);
  if (!found)
    return {
      name,
      status: "fail",
      text: `${path} cannot be read.`,
      fix: "Restore it from a backup: without it no key works.",
    };
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0) {
    return { name, status: "fail", text: `Other users of this machine can read ${path}.`, fix: `chmod 600 ${path}` };
  }
  return {
    name,
    status: "ok",
    text: `The secrets are in ${path}, readable only by its owner. Back it up with the database.`,
  };
}

export async function checkDisk(folder: string): Promise<Fact> {
  const name = "disk";
  const disk = await statfs(folder).catch(() => undefined);
  if (!disk)
    return { name, status: "warn", text: `${folder} does not exist yet.`, fix: "Start the service, or see DATA_DIR." };
  if (disk.files > 0 && disk.ffree === 0)
    return { name, status: "fail", text: `The disk of ${folder} has no inodes free.`, fix: howToFree(folder) };
  const freeGigabytes = (disk.bavail * disk.bsize) / 1e9;
  const text = `${freeGigabytes.toFixed(1)} GB are free for ${folder}.`;
  if (freeGigabytes >= MIN_FREE_GIGABYTES) return { name, status: "ok", text };
  const status = freeGigabytes < FULL_GIGABYTES ? "fail" : "warn";
  const fix = status === "fail" ? howToFree(folder) : "Free space, or lower RETENTION_DAYS and SIGNALS_RETENTION_DAYS.";
  return { name, status, text, fix };
}

export function checkNode(version: string): Fact {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isRecentEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  if (isRecentEnough) return { name: "node", status: "ok", text: `Node ${version}.` };
  return {
    name: "node",
    status: "fail",
    text: `Node ${version} is too old.`,
    fix: `Install Node ${MIN_NODE.join(".")} or later.`,
  };
}
