import type { Db } from "@/db/client";
import { deleteOldSightings } from "./queries-population";

const BATCH = 5_000;

/** Deletes what networks have not seen for long. */
export async function purgeTokenSightings(db: Db, signal: AbortSignal): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted;) deleted = await deleteOldSightings(db, BATCH);
}
