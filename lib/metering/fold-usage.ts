import type { Db } from "@/db/client";
import { foldCounts, hasUnfolded } from "./queries";

/** Minimum age of counts to aggregate, in addition to the age of the oldest transaction that may still commit. */
const FOLD_AFTER_MINUTES = 10;

/** Aggregates older calls and deliveries of a workspace into days. Idempotent and safe to run concurrently. */
export async function foldUsage(
  db: Db,
  workspaceId: string,
  { afterMinutes = FOLD_AFTER_MINUTES, openSeconds = 0 } = {},
): Promise<void> {
  const minutes = afterMinutes + Math.ceil(openSeconds / 60);
  let hasMore = await hasUnfolded(db, workspaceId);
  while (hasMore) hasMore = await db.transaction((tx) => foldCounts(tx, workspaceId, minutes));
}
