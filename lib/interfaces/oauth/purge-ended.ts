import type { Db } from "@/db/client";
import { deleteEndedRecords } from "./queries-records";

const BATCH = 5_000;

/** Deletes expired tokens, requests, grants and unused registrations. */
export async function purgeEndedOauth(db: Db, signal: AbortSignal): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted;) deleted = await deleteEndedRecords(db, BATCH);
}
