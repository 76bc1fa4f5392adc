import { deleteSlicesBefore } from "@/lib/visits/visit-store";
import { eachWorkspace } from "./each-workspace";
import type { JobRun } from "./job";

const DAY_MS = 86_400_000;

/** Deletes the slices of visits that are no longer kept, and those by the hour that nothing reads any more. */
export async function deleteOldSlices(run: JobRun, instanceDays: number): Promise<void> {
  for await (const { workspaceId, days } of eachWorkspace(run))
    await deleteSlicesBefore(
      run.db,
      workspaceId,
      new Date(run.now.getTime() - Math.min(days ?? instanceDays, instanceDays) * DAY_MS),
    );
}
