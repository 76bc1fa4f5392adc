import { deleteOldDeviceAddresses, deleteVisitsBefore } from "@/lib/visits/visit-store";
import { eachWorkspace } from "./each-workspace";
import type { JobRun } from "./job";

const DAY_MS = 86_400_000;
const VISITS = 1_000;
const ADDRESSES = 5_000;

/** Deletes what is older than the workspaces that chose a number of days of their own keep visits. */
export async function deleteOldVisits(run: JobRun): Promise<void> {
  for await (const { workspaceId, days } of eachWorkspace(run)) {
    if (days === null) continue;
    const to = new Date(run.now.getTime() - days * DAY_MS);
    for (let deleted = VISITS; deleted === VISITS && !run.signal.aborted;)
      deleted = await deleteVisitsBefore(run.db, { workspaceId, to, limit: VISITS });
  }
}

/** Deletes the addresses at which devices were seen last before the visits that are kept. */
export async function deleteOldAddresses({ db, signal }: JobRun, instanceDays: number): Promise<void> {
  for (let deleted = ADDRESSES; deleted === ADDRESSES && !signal.aborted;)
    deleted = await deleteOldDeviceAddresses(db, instanceDays, ADDRESSES);
}
