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
 * Visits, or slices, of one transaction: so many that it takes about this long, whatever the machine has to do beside it.
 * A statement is cut off after a few seconds.
 */
const SIZES = { first: 500, least: 50, most: 10_000 } as const;
const STEP_MS = { short: 400, long: 1_200 } as const;

type Options = { signal?: AbortSignal; limit?: number; lagSeconds?: number };
type Step = typeof countNewerVisits;
type Counting = Parameters<Step>[1];

/** Repeats a step until nothing is left, each time with as many visits as the machine has time for. */
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
 * Counts the visits of a workspace that are not in its slices yet: new ones first, then those of before; then closes
 * the slices of days that are over. Each step is a transaction of its own, so it can be stopped anywhere and run beside itself.
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

/** Counts what is left in every workspace; the number of workspaces. */
export async function countAllSlices(db: Db, signal: AbortSignal): Promise<number> {
  // Visits are counted up to a time: none of before may be committed later.
  const lagSeconds = COUNTED_AFTER_SECONDS + (await oldestWriteSeconds(db));
  return await eachInTurn(uncountedWorkspaces(db), signal, (workspaceId) =>
    countSlices(db, workspaceId, { signal, lagSeconds }),
  );
}

/** Counts the visits of a workspace again: after visits were inserted with times of the past. */
export async function recountSlices(db: Db, workspaceId: string): Promise<void> {
  await forgetSlices(db, workspaceId);
  await countSlices(db, workspaceId);
}
