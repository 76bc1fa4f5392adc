import type { Db } from "@/db/client";
import { log } from "@/lib/platform/log";
import { hasRecentNote, upsertNote } from "./queries";

const NAME = "untrusted-forwarding";
const NOTE_EVERY_MS = 10 * 60_000;
const RECENT_HOURS = 24;

/**
 * Creates a function that records forwarding headers from an untrusted peer, in the background and at most every ten
 * minutes.
 */
export function createForwardingRecorder(db: Db): (nowMs: number) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (nowMs) => {
    if (nowMs - lastMs < NOTE_EVERY_MS) return;
    lastMs = nowMs;
    upsertNote(db, NAME).catch((error: unknown) => {
      log.warn({ err: error }, "an untrusted forwarding header was not recorded");
    });
  };
}

/**
 * Whether an untrusted peer sent forwarding headers in the last day, which may mean that `TRUSTED_PROXIES` lacks a
 * proxy.
 */
export const sawUntrustedForwarding = (db: Db): Promise<boolean> => hasRecentNote(db, NAME, RECENT_HOURS);
