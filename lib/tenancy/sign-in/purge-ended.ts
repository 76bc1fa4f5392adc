import type { Db } from "@/db/client";
import { deleteEnded } from "./queries";

const BATCH = 5_000;

/** Deletes sessions and sign-in links that have ended. */
export async function purgeEndedSessions(db: Db, signal: AbortSignal): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted;) deleted = await deleteEnded(db, BATCH);
}
