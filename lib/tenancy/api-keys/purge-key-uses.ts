import type { Db } from "@/db/client";
import { deleteOldUses } from "./queries-uses";

const KEPT_DAYS = 30;

/** Deletes uses that are older than the log of keys shows. */
export const purgeKeyUses = (db: Db, signal: AbortSignal): Promise<number> => deleteOldUses(db, KEPT_DAYS, signal);
