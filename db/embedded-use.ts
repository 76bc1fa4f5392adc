import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { isFolder } from "./make-folder.mjs";
import { processNamespace } from "./owned-folder";

const PREFIX = "in-use.";
const BEAT_MS = 1_000;
/** How long a file of another namespace must stay unchanged before its processes count as ended. */
const WATCH_MS = 10_000;
const POLL_MS = 100;

/** Digits only, as in `pid:[4026531836]`; empty on a system without namespaces. */
const ownName = () => PREFIX + processNamespace().replaceAll(/\D/g, "");

/** Touches a file that does not exist too, unless its folder is gone: that must not be created again. */
function touch(file: string): void {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    try {
      writeFileSync(file, "", { mode: 0o644 });
    } catch {
      return; // the folder is gone, unreachable or full
    }
  }
}

/**
 * Shows the processes of other containers that some process here uses the database in `folder`, or is about to: neither
 * its processes nor its port exist for them. Returns a function that ends it.
 *
 * @param isServed whether the server still runs: another process uses it then, and the file must not be gone meanwhile
 */
export function showUse(folder: string, isServed: () => boolean): () => void {
  const file = join(folder, ownName());
  touch(file);
  const timer = setInterval(() => {
    touch(file);
  }, BEAT_MS).unref();
  return () => {
    clearInterval(timer);
    try {
      if (!isServed()) rmSync(file, { force: true });
    } catch {
      return; // the folder is gone or unreachable, and with it the file
    }
  };
}

const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

/** Whether a file changes, by no clock but this process's own. */
async function isTouched(file: string, watchMs: number, signal: AbortSignal | undefined): Promise<boolean> {
  const [first, startedAt] = [changedAt(file), performance.now()];
  while (changedAt(file) === first) {
    if (first === undefined || performance.now() - startedAt > watchMs) return false;
    await delay(POLL_MS, undefined, signal ? { signal } : {});
  }
  return changedAt(file) !== undefined;
}

/**
 * Refuses to start a server on files that another container uses at this moment. PostgreSQL itself would take the other
 * server for a killed one, and both would write to the same files.
 *
 * @throws Error that says what to do instead
 */
export async function refuseUseElsewhere(folder: string, signal?: AbortSignal, watchMs = WATCH_MS): Promise<void> {
  if (!isFolder(folder)) return;
  const others = readdirSync(folder).filter((name) => name.startsWith(PREFIX) && name !== ownName());
  for (const file of others.map((name) => join(folder, name))) {
    if (await isTouched(file, watchMs, signal))
      throw new Error(
        `The database in ${folder} is in use in another container, so no second server is started on it. Run commands in that container (docker exec), or stop it first.`,
      );
    rmSync(file, { force: true });
  }
}
