import { inBatches } from "@/db/batches";
import { dropPartitionsBefore } from "@/db/partitions";
import { isBackupRunning } from "@/lib/operations/backup";
import { eraseSignals } from "@/lib/visits/visit-store";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { eachWorkspace } from "@/lib/tenancy/workspaces";
import { DAY_MS } from "@/lib/platform/calendar";
import type { JobRun } from "./job";

const VISITS = 1_000;

/** Erases signals that version 0.1 stored with its visits, continuing where the last complete run ended. */
async function eraseWithVisits(run: JobRun, to: Date): Promise<void> {
  const from = new Date(run.progress === "" ? 0 : run.progress);
  if (from >= to) return;
  await eachInTurn(eachWorkspace(run.db), run.signal, ({ workspaceId }) =>
    inBatches(VISITS, (limit) => eraseSignals(run.db, { workspaceId, from, to, limit }), run.signal),
  );
  if (!run.signal.aborted) await run.saveProgress(to.toISOString());
}

/**
 * Erases the raw signals of visits older than `retentionDays`. They are dropped by whole days, each before its first
 * visit exceeds that age, so that none is kept longer.
 */
export async function eraseOldSignals(run: JobRun, retentionDays: number): Promise<void> {
  // A running backup locks the partitions that it reads; the next run after it drops them.
  if (!(await isBackupRunning(run.db)))
    await dropPartitionsBefore(run.db, "day", new Date(run.now.getTime() - (retentionDays - 1) * DAY_MS));
  // Last, so that a failure in one workspace does not keep the partitions of all.
  await eraseWithVisits(run, new Date(run.now.getTime() - retentionDays * DAY_MS));
}
