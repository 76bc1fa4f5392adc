import { purgePayloadObservations } from "@/lib/visits/repeats";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { eachWorkspace } from "@/lib/tenancy/workspaces";
import type { JobRun } from "./job";

/**
 * Deletes payload observations that replay detection no longer needs; none is kept longer than the workspace's visits.
 */
export async function deleteOldPayloadObservations(run: JobRun, instanceDays: number): Promise<void> {
  await eachInTurn(eachWorkspace(run.db), run.signal, ({ workspaceId, days }) =>
    purgePayloadObservations(run.db, workspaceId, { ...run, days: Math.min(days ?? instanceDays, instanceDays) }),
  );
}
