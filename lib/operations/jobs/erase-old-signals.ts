import { inBatches } from "@/db/batches";
import { eraseSignals } from "@/lib/visits/visit-store";
import { eachWorkspace } from "./each-workspace";
import type { JobRun } from "./job";

const DAY_MS = 86_400_000;
const VISITS = 1_000;

/**
 * Erases the raw signals of visits older than `retentionDays`, starting where the last complete run ended, so that old
 * visits are not scanned every hour.
 */
export async function eraseOldSignals(run: JobRun, retentionDays: number): Promise<void> {
  const to = new Date(run.now.getTime() - retentionDays * DAY_MS);
  const from = new Date(run.progress === "" ? 0 : run.progress);
  if (from >= to) return;
  for await (const { workspaceId } of eachWorkspace(run))
    await inBatches(VISITS, (limit) => eraseSignals(run.db, { workspaceId, from, to, limit }), run.signal);
  if (!run.signal.aborted) await run.saveProgress(to.toISOString());
}
