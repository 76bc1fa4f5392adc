import type { Db } from "@/db/client";
import { deleteOldClaims } from "./queries-population";

const BATCH = 5_000;

/** Deletes the claims of devices that everybody can see by now. */
export async function purgeDeviceClaims(db: Db, signal: AbortSignal): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted;) deleted = await deleteOldClaims(db, BATCH);
}
