import type { Db } from "@/db/client";
import { oldestWriteSeconds } from "@/db/open-writes";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { workspacePages } from "@/lib/tenancy/workspaces";
import {
  closeSlices,
  COUNTED_AFTER_SECONDS,
  countNewerVisits,
  countOlderVisits,
  forgetSlices,
  listUncountedSlices,
} from "@/lib/visits/visit-store";

/**
 * Visits, or slices, counted per transaction. Adjusted so that a transaction takes about this long however busy the
 * machine is, since statements are cancelled after a few seconds.
 */
const SIZES = { first: 500, least: 50, most: 10_000 } as const;
const STEP_MS = { short: 400, long: 1_200 } as const;

type Options = { signal?: AbortSignal; limit?: number; lagSeconds?: number };
type Step = typeof countNewerVisits;
type Counting = Parameters<Step>[1];

/** Repeats a step until nothing is left, adapting the number of visits to the speed of the machine. */
async function repeat(db: Db, step: Step, counting: Counting, { signal, limit }: Options): Promise<void> {
  let size = limit ?? SIZES.first;
  for (let hasMore = true; hasMore && !signal?.aborted;) {
    const startedAt = performance.now();
    try {
      hasMore = await db.transaction((tx) => step(tx, { ...counting, limit: size }));
    } catch (error) {
      if (size <= SIZES.least) throw error;
      size = Math.max(SIZES.least, Math.floor(size / 4));
      continue;
    }
    if (limit !== undefined) continue;
    const tookMs = performance.now() - startedAt;
    if (tookMs < STEP_MS.short) size = Math.min(SIZES.most, size * 2);
    else if (tookMs > STEP_MS.long) size = Math.max(SIZES.least, Math.floor(size / 2));
  }
}

/**
 * Adds uncounted visits of a workspace to its slices, new ones first and then older ones, and closes the slices of past
 * days. Each step is a transaction of its own, so this can be interrupted at any point and may run concurrently with
 * itself.
 */
export async function countSlices(db: Db, workspaceId: string, options: Options = {}): Promise<void> {
  const { limit = SIZES.first, lagSeconds = COUNTED_AFTER_SECONDS } = options;
  for (const step of [countNewerVisits, countOlderVisits, closeSlices])
    await repeat(db, step, { workspaceId, limit, lagSeconds }, options);
}

async function* uncountedWorkspaces(db: Db) {
  for await (const page of workspacePages(db))
    yield* await listUncountedSlices(
      db,
      page.map(({ workspaceId }) => workspaceId),
    );
}

/**
 * Counts the uncounted visits of every workspace.
 *
 * @returns number of workspaces counted
 */
export async function countAllSlices(db: Db, signal: AbortSignal): Promise<number> {
  // Visits are counted up to a point in time, before which no transaction may still commit visits.
  const lagSeconds = COUNTED_AFTER_SECONDS + (await oldestWriteSeconds(db));
  return await eachInTurn(uncountedWorkspaces(db), signal, (workspaceId) =>
    countSlices(db, workspaceId, { signal, lagSeconds }),
  );
}

/** Recounts a workspace's visits, after visits with past times were inserted. */
export async function recountSlices(db: Db, workspaceId: string): Promise<void> {
  while (await forgetSlices(db, workspaceId, SIZES.most));
  await countSlices(db, workspaceId);
}
