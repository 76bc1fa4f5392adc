import type { Db } from "@/db/client";
import { foldCounts, hasUnfolded } from "./queries";

/** Age at which counts are aggregated into days, beyond that of the oldest transaction that may still be committed. */
const FOLD_AFTER_MINUTES = 10;

/** Aggregates the older calls and deliveries of a workspace into days. Idempotent and safe to run concurrently. */
export async function foldUsage(
  db: Db,
  workspaceId: string,
  { afterMinutes = FOLD_AFTER_MINUTES, openSeconds = 0 } = {},
): Promise<void> {
  const minutes = afterMinutes + Math.ceil(openSeconds / 60);
  let hasMore = await hasUnfolded(db, workspaceId);
  while (hasMore) hasMore = await db.transaction((tx) => foldCounts(tx, workspaceId, minutes));
}
