import type { Db } from "@/db/client";
import { foldCounts, hasUnfolded } from "./queries";

/**
 * Age at which counts are folded into days. No statement of the service lives nearly as long, so nothing that counts
 * as older can still be committed.
 */
const FOLD_AFTER_MINUTES = 10;

/** Folds the older calls and deliveries of a workspace into its days. Safe to repeat and to run twice at once. */
export async function foldUsage(
  db: Db,
  workspaceId: string,
  { afterMinutes = FOLD_AFTER_MINUTES } = {},
): Promise<void> {
  if (await hasUnfolded(db, workspaceId)) await db.transaction((tx) => foldCounts(tx, workspaceId, afterMinutes));
}
