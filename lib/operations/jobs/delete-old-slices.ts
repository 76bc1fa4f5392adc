import { deleteSlicesBefore } from "@/lib/visits/visit-store";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { eachWorkspace } from "@/lib/tenancy/workspaces";
import { DAY_MS } from "@/lib/platform/calendar";
import type { JobRun } from "./job";

/** Deletes the slices of visits beyond retention, and hourly slices that nothing reads any more. */
export async function deleteOldSlices(run: JobRun, instanceDays: number): Promise<void> {
  await eachInTurn(eachWorkspace(run.db), run.signal, ({ workspaceId, days }) =>
    deleteSlicesBefore(
      run.db,
      workspaceId,
      new Date(run.now.getTime() - Math.min(days ?? instanceDays, instanceDays) * DAY_MS),
      run.signal,
    ),
  );
}
