import { inBatches } from "@/db/batches";
import type { Db } from "@/db/client";
import { deleteOldUses } from "./queries-uses";

const KEPT_DAYS = 30;
const BATCH = 5_000;

/** Deletes uses that are older than the log of keys shows. */
export async function purgeKeyUses(db: Db, signal: AbortSignal): Promise<void> {
  await inBatches(BATCH, (limit) => deleteOldUses(db, KEPT_DAYS, limit), signal);
}
