import { listOwnRetentions } from "@/lib/tenancy/workspaces";
import { deleteOldDeviceAddresses, deleteVisitsBefore } from "@/lib/visits/visit-store";
import type { JobRun } from "./job";

const DAY_MS = 86_400_000;
const VISITS = 1_000;
const ADDRESSES = 5_000;
const WORKSPACES = 500;

/** Deletes what is older than the workspaces that chose a number of days of their own keep visits. */
export async function deleteOldVisits({ db, now, signal }: JobRun): Promise<void> {
  let last: string | undefined;
  for (;;) {
    const chosen = await listOwnRetentions(db, last, WORKSPACES);
    for (const { workspaceId, days } of chosen) {
      const to = new Date(now.getTime() - days * DAY_MS);
      for (let deleted = VISITS; deleted === VISITS && !signal.aborted;)
        deleted = await deleteVisitsBefore(db, { workspaceId, to, limit: VISITS });
    }
    last = chosen.at(-1)?.workspaceId;
    if (chosen.length < WORKSPACES || signal.aborted) return;
  }
}

/** Deletes the addresses at which devices were seen last before the visits that are kept. */
export async function deleteOldAddresses({ db, signal }: JobRun, instanceDays: number): Promise<void> {
  for (let deleted = ADDRESSES; deleted === ADDRESSES && !signal.aborted;)
    deleted = await deleteOldDeviceAddresses(db, instanceDays, ADDRESSES);
}
