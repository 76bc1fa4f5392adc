import { purgePayloadObservations } from "@/lib/visits/repeats";
import { eachWorkspace } from "./each-workspace";
import type { JobRun } from "./job";

/** Deletes what workspaces no longer need to find repetitions by: never older than the visits that they keep. */
export async function deleteOldPayloadObservations(run: JobRun, instanceDays: number): Promise<void> {
  for await (const { workspaceId, days } of eachWorkspace(run))
    await purgePayloadObservations(run.db, workspaceId, { ...run, days: Math.min(days ?? instanceDays, instanceDays) });
}
