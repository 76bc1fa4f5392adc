import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { birthOf, isAlive } from "./processes.mjs";

const POLL_MS = 20;
/**
 * Backends exit by themselves when they notice that their postmaster is gone, at the latest after the current
 * statement.
 */
const ORPHANS_END_MS = 30_000;

/** Whether the system has /proc. */
const hasProcessTable = existsSync("/proc/self/stat");

/**
 * Whether a process has the data folder as its working directory, as a postmaster and its backends do. Other users'
 * processes cannot be inspected.
 */
function worksIn(id: number, dataFolder: string): boolean {
  try {
    return readlinkSync(`/proc/${id}/cwd`) === dataFolder;
  } catch {
    return false;
  }
}

const lockFileOf = (dataFolder: string) => join(dataFolder, "postmaster.pid");

function namedPostmaster(dataFolder: string): number | undefined {
  try {
    const id = Number(readFileSync(lockFileOf(dataFolder), "utf8").split("\n")[0]);
    return Number.isInteger(id) && id > 1 ? id : undefined;
  } catch {
    return undefined;
  }
}

/** The process id in `postmaster.pid`, if that process is a server on this folder. */
export function postmasterOn(dataFolder: string): number | undefined {
  const id = namedPostmaster(dataFolder);
  if (id === undefined || !isAlive(id)) return undefined;
  return !hasProcessTable || worksIn(id, realpathSync(dataFolder)) ? id : undefined;
}

/** A server's process, which differs from a later one with the same id. */
export type ServerProcess = { id: number; birth: string };

export function serverOn(dataFolder: string): ServerProcess | undefined {
  const id = postmasterOn(dataFolder);
  return id === undefined ? undefined : { id, birth: birthOf(id) };
}

/**
 * Tells a folder from a copy at its path; undefined if it cannot be found. The device's number is left out, because it
 * may differ after the disk was mounted again.
 */
export function inodeOf(folder: string): bigint | undefined {
  try {
    return statSync(folder, { bigint: true }).ino;
  } catch {
    return undefined;
  }
}

/** The visible running processes on this data folder. */
function processesOn(dataFolder: string): number[] {
  if (!hasProcessTable) return [];
  const folder = realpathSync(dataFolder);
  return readdirSync("/proc")
    .map(Number)
    .filter((id) => Number.isInteger(id) && worksIn(id, folder) && isAlive(id));
}

/**
 * Cleans up after a killed server: waits for backends that outlive their postmaster, and removes its lock file if the
 * recorded process is a zombie or, after a restart of the machine or container, another program. PostgreSQL itself
 * refuses to start while any process has that id.
 *
 * @throws Error if the killed server's processes do not exit
 */
export async function clearKilledServer(dataFolder: string, signal?: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  if (!hasProcessTable || !existsSync(lockFileOf(dataFolder))) return;
  for (;;) {
    if (postmasterOn(dataFolder) !== undefined) return;
    signal?.throwIfAborted();
    const left = processesOn(dataFolder);
    if (left.length === 0) break;
    if (performance.now() - startedAt > ORPHANS_END_MS) {
      throw new Error(
        `Processes of a killed PostgreSQL server are still running on ${dataFolder}: ${left.join(", ")}. End them and start again: the data is kept.`,
      );
    }
    await delay(POLL_MS);
  }
  rmSync(lockFileOf(dataFolder), { force: true });
}

/** Waits until a process has exited; false on timeout. */
export async function waitForEnd(id: number, timeoutMs: number): Promise<boolean> {
  const startedAt = performance.now();
  while (isAlive(id)) {
    if (performance.now() - startedAt > timeoutMs) return false;
    await delay(POLL_MS);
  }
  return true;
}
