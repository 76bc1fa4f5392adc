import type { Db } from "@/db/client";
import { deleteOldUses } from "./queries-uses";

const KEPT_DAYS = 30;

/** Deletes key uses older than the log's retention. */
export const purgeKeyUses = (db: Db, signal: AbortSignal): Promise<number> => deleteOldUses(db, KEPT_DAYS, signal);
