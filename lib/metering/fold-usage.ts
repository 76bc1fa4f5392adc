import type { Db } from "@/db/client";
import { foldCounts, hasUnfolded } from "./queries";

/**
 * Age at which counts are aggregated into days. No statement runs nearly as long, so no older row can still be
 * committed.
 */
const FOLD_AFTER_MINUTES = 10;

/** Aggregates the older calls and deliveries of a workspace into days. Idempotent and safe to run concurrently. */
export async function foldUsage(
  db: Db,
  workspaceId: string,
  { afterMinutes = FOLD_AFTER_MINUTES } = {},
): Promise<void> {
  let hasMore = await hasUnfolded(db, workspaceId);
  while (hasMore) hasMore = await db.transaction((tx) => foldCounts(tx, workspaceId, afterMinutes));
}
