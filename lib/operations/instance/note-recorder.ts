import type { Db } from "@/db/client";
import { log } from "@/lib/platform/log";
import { hasRecentNote, upsertNote } from "./queries";

const NOTE_EVERY_MS = 10 * 60_000;
const RECENT_HOURS = 24;

/**
 * What processes of the service observe and `doctor` reports: an untrusted peer sent forwarding headers, which may mean
 * that `TRUSTED_PROXIES` lacks a proxy; connections were closed for lack of open files.
 */
export type Note = "untrusted-forwarding" | "connections-closed";

/** Creates a function that records an observation, in the background and at most every ten minutes. */
export function createNoteRecorder(db: Db, note: Note): (nowMs: number) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (nowMs) => {
    if (nowMs - lastMs < NOTE_EVERY_MS) return;
    lastMs = nowMs;
    upsertNote(db, note).catch((error: unknown) => {
      log.warn({ err: error, note }, "an observation for doctor was not recorded");
    });
  };
}

/** Whether the observation was made in the last day. */
export const isNoted = (db: Db, note: Note): Promise<boolean> => hasRecentNote(db, note, RECENT_HOURS);
