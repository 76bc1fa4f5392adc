import { inBatches } from "@/db/batches";
import { deleteVisitLabelsBefore, deleteVisitsBefore } from "@/lib/visits/visit-store";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { eachWorkspace } from "@/lib/tenancy/workspaces";
import { DAY_MS } from "@/lib/platform/calendar";
import type { JobRun } from "./job";

const VISITS = 1_000;

/**
 * Deletes visits beyond the retention of workspaces with their own setting, and, in all workspaces, labels of visits
 * beyond retention.
 */
export async function deleteOldVisits(run: JobRun, instanceDays: number): Promise<void> {
  await eachInTurn(eachWorkspace(run.db), run.signal, async ({ workspaceId, days }) => {
    const to = new Date(run.now.getTime() - Math.min(days ?? instanceDays, instanceDays) * DAY_MS);
    await inBatches(VISITS, (limit) => deleteVisitLabelsBefore(run.db, { workspaceId, to, limit }), run.signal);
    if (days === null) return;
    await inBatches(VISITS, (limit) => deleteVisitsBefore(run.db, { workspaceId, to, limit }), run.signal);
  });
}
