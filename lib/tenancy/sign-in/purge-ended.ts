import { inBatches } from "@/db/batches";
import type { Db } from "@/db/client";
import { deleteEnded } from "./queries";

const BATCH = 5_000;

/** Deletes expired sessions and sign-in links. */
export async function purgeEndedSessions(db: Db, signal: AbortSignal): Promise<void> {
  await inBatches(BATCH, (limit) => deleteEnded(db, limit), signal);
}
