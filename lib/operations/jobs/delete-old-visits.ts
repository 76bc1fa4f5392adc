import { inBatches } from "@/db/batches";
import { deleteVisitsBefore } from "@/lib/visits/visit-store";
import { eachWorkspace } from "./each-workspace";
import type { JobRun } from "./job";

const DAY_MS = 86_400_000;
const VISITS = 1_000;

/** Deletes visits beyond the retention of workspaces with a setting of their own. */
export async function deleteOldVisits(run: JobRun): Promise<void> {
  for await (const { workspaceId, days } of eachWorkspace(run)) {
    if (days === null) continue;
    const to = new Date(run.now.getTime() - days * DAY_MS);
    await inBatches(VISITS, (limit) => deleteVisitsBefore(run.db, { workspaceId, to, limit }), run.signal);
  }
}
