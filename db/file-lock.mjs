// Plain JavaScript, because scripts take this lock before anything is built.
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { isFolder } from "./make-folder.mjs";
import { birthOf, isAlive } from "./processes.mjs";
import { writeWholeFile } from "./write-file.mjs";

/**
 * @typedef {{ pid: number, birth: string, released?: boolean, info: Record<string, unknown> }} Ticket
 * @typedef {{ update: (info: Record<string, unknown>) => void, release: () => void }} FileLock
 */

const POLL_MS = 50;

/**
 * A process of an earlier release may still run, which marks what it has released.
 *
 * @param {Ticket | undefined} ticket
 */
const isHeld = (ticket) => ticket !== undefined && !ticket.released && isAlive(ticket.pid, ticket.birth);

/** @param {string} folder @param {string} name */
function tickets(folder, name) {
  const pattern = new RegExp(`^${name}\\.(\\d+)\\.lock$`);
  return fs
    .readdirSync(folder)
    .flatMap((file) => pattern.exec(file)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** @param {string} folder @param {string} name @param {number} number */
const ticketFile = (folder, name, number) => path.join(folder, `${name}.${number}.lock`);

/** @param {string} file @returns {Ticket | undefined} */
function readTicket(file) {
  try {
    return /** @type {Ticket} */ (JSON.parse(fs.readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

/**
 * Writes a file atomically, so that no reader sees part of it.
 *
 * @param {string} file @param {Ticket} ticket @param {"create" | "replace"} mode
 */
function writeTicket(file, ticket, mode) {
  writeWholeFile(file, JSON.stringify(ticket), { mode: 0o644, isNew: mode === "create" });
}

/**
 * The current holder of the lock.
 *
 * @param {string} folder @param {string} name
 * @returns {Ticket | undefined}
 */
export function lockHolder(folder, name) {
  // A folder below a file does not exist either.
  if (!fs.existsSync(folder) || !isFolder(folder)) return undefined;
  const newest = tickets(folder, name).at(-1);
  const ticket = newest === undefined ? undefined : readTicket(ticketFile(folder, name, newest));
  return isHeld(ticket) ? ticket : undefined;
}

/**
 * Takes the lock unless a live process holds it. Tickets are numbered and the highest number decides: only one process
 * can create the next number, and the highest ticket is never removed, only emptied when it is released. So two
 * processes that both find a dead process's ticket cannot both take over. The folder must exist: one that was removed or
 * unmounted while the service runs must not be created again.
 *
 * @param {string} folder @param {string} name @param {Record<string, unknown>} [info]
 * @returns {FileLock | undefined}
 */
export function tryLock(folder, name, info = {}) {
  const seen = tickets(folder, name).at(-1) ?? 0;
  if (seen > 0 && isHeld(readTicket(ticketFile(folder, name, seen)))) return undefined;
  const number = seen + 1;
  const file = ticketFile(folder, name, number);
  /** @type {Ticket} */
  const ticket = { pid: process.pid, birth: birthOf(process.pid), info };
  try {
    writeTicket(file, ticket, "create");
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return undefined;
    throw error;
  }
  const after = tickets(folder, name);
  if (after.at(-1) !== number) {
    // The process that created the higher ticket may already have removed this one.
    fs.rmSync(file, { force: true });
    return undefined;
  }
  for (const older of after) if (older < number) fs.rmSync(ticketFile(folder, name, older), { force: true });
  return {
    update(next) {
      writeTicket(file, { ...ticket, info: next }, "replace");
    },
    release() {
      try {
        // An empty ticket names no holder. On a full disk, another one could not be written.
        fs.truncateSync(file);
      } catch {
        return; // the folder is gone or unreachable, and with it the lock
      }
    },
  };
}

/**
 * Waits for the lock.
 *
 * @param {string} folder @param {string} name
 * @param {{ timeoutMs: number, onWait?: (holder: Ticket | undefined) => void, signal?: AbortSignal | undefined }} options
 * @returns {Promise<FileLock>}
 */
export async function waitForLock(folder, name, { timeoutMs, onWait, signal }) {
  const startedAt = performance.now();
  for (let round = 0; ; round += 1) {
    const lock = tryLock(folder, name);
    if (lock) return lock;
    const holder = lockHolder(folder, name);
    if (round === 1) onWait?.(holder);
    if (performance.now() - startedAt > timeoutMs) {
      throw new Error(
        `Process ${holder?.pid ?? "unknown"} has held the lock "${name}" in ${folder} for more than ${timeoutMs / 1000} s. End that process or wait for it, then try again.`,
      );
    }
    await delay(POLL_MS, undefined, signal ? { signal } : {});
  }
}
