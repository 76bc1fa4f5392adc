import { inBatches } from "@/db/batches";
import { deleteVisitLabelsBefore, deleteVisitsBefore } from "@/lib/visits/visit-store";
import { eachWorkspace } from "./each-workspace";
import type { JobRun } from "./job";

const DAY_MS = 86_400_000;
const VISITS = 1_000;

/**
 * Deletes visits beyond the retention of workspaces with a setting of their own, and everywhere the labels of visits that
 * are not kept any more.
 */
export async function deleteOldVisits(run: JobRun, instanceDays: number): Promise<void> {
  for await (const { workspaceId, days } of eachWorkspace(run)) {
    const to = new Date(run.now.getTime() - Math.min(days ?? instanceDays, instanceDays) * DAY_MS);
    await inBatches(VISITS, (limit) => deleteVisitLabelsBefore(run.db, { workspaceId, to, limit }), run.signal);
    if (days === null) continue;
    await inBatches(VISITS, (limit) => deleteVisitsBefore(run.db, { workspaceId, to, limit }), run.signal);
  }
}
