import type { Db } from "@/db/client";
import { deleteOldUses } from "./queries-uses";

const KEPT_DAYS = 30;
const BATCH = 5_000;

/** Deletes what the log of keys no longer shows. */
export async function purgeKeyUses(db: Db, signal: AbortSignal): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted;) deleted = await deleteOldUses(db, KEPT_DAYS, BATCH);
}
