import { readFileSync } from "node:fs";

/** Files and sockets of a process besides its clients' connections: database, pages, webhooks, mail. */
const OTHER_FILES = 200;
/** Enough connections for an ordinary load with idle browsers. */
const ENOUGH_CONNECTIONS = 500;

/** What this process has of open files, and how many connections of clients it may serve at once. */
export type OpenFiles = { limit: number; connections: number; isEnough: boolean };

/**
 * Files and sockets that a process may have open. Beyond the limit the operating system accepts a connection and closes
 * it, and neither this service nor its log is told. Undefined if there is no limit or it is unknown.
 *
 * @param table `/proc/self/limits`, which only Linux has
 */
export function readOpenFiles(table = readLimits()): OpenFiles | undefined {
  const limit = Number(/^Max open files +(\d+)/m.exec(table)?.[1]);
  if (Number.isNaN(limit)) return undefined;
  const connections = Math.max(limit - OTHER_FILES, Math.floor(limit / 2));
  return { limit, connections, isEnough: connections >= ENOUGH_CONNECTIONS };
}

function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
