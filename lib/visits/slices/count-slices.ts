import type { Db } from "@/db/client";
import {
  COUNTED_AFTER_SECONDS,
  countNewerVisits,
  countOlderVisits,
  forgetSlices,
  listUncountedSlices,
} from "@/lib/visits/visit-store";

/** Visits of one transaction: about a second of work. */
const VISITS = 5_000;
const WORKSPACES = 200;

type Options = { signal?: AbortSignal; limit?: number; lagSeconds?: number };

/**
 * Counts the visits of a workspace that are not in its slices yet: new ones first, then those of before. Each step is a
 * transaction of its own, so it can be stopped anywhere and run beside itself.
 */
export async function countSlices(
  db: Db,
  workspaceId: string,
  { signal, limit = VISITS, lagSeconds = COUNTED_AFTER_SECONDS }: Options = {},
): Promise<void> {
  const counting = { workspaceId, limit, lagSeconds };
  for (const step of [countNewerVisits, countOlderVisits])
    for (let hasMore = true; hasMore && !signal?.aborted;) hasMore = await db.transaction((tx) => step(tx, counting));
}

/** Counts what is left in every workspace; the number of workspaces. */
export async function countAllSlices(db: Db, signal: AbortSignal): Promise<number> {
  let counted = 0;
  for (let after: string | undefined; ;) {
    const workspaceIds = await listUncountedSlices(db, after, WORKSPACES);
    for (const workspaceId of workspaceIds) {
      if (signal.aborted) return counted;
      await countSlices(db, workspaceId, { signal });
      counted += 1;
    }
    after = workspaceIds.at(-1);
    if (workspaceIds.length < WORKSPACES) return counted;
  }
}

/** Counts the visits of a workspace anew: after visits were inserted with times of the past. */
export async function recountSlices(db: Db, workspaceId: string): Promise<void> {
  await forgetSlices(db, workspaceId);
  await countSlices(db, workspaceId);
}
