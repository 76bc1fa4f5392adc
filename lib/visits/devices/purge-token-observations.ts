import type { Db } from "@/db/client";
import { deleteOldTokenObservations } from "@/lib/visits/visit-store";

const BATCH = 5_000;

/** Deletes what networks have not seen for long. */
export async function purgeTokenObservations(db: Db, signal: AbortSignal): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted;)
    deleted = await deleteOldTokenObservations(db, BATCH);
}
