import type { Db } from "@/db/client";
import { deleteOldRefusals } from "./queries-refused";

const BATCH = 5_000;

/** Deletes refused origins that are no longer shown; returns the number of rows. */
export async function purgeRefusedOrigins(db: Db, signal: AbortSignal): Promise<number> {
  let total = 0;
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted; total += deleted)
    deleted = await deleteOldRefusals(db, BATCH);
  return total;
}
