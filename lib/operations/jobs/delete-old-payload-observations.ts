import { purgePayloadObservations } from "@/lib/visits/repeats";
import { listRetentions } from "@/lib/tenancy/workspaces";
import type { JobRun } from "./job";

const WORKSPACES = 500;

/** Deletes what workspaces no longer need to notice repetitions by: never older than the visits that they keep. */
export async function deleteOldPayloadObservations({ db, now, signal }: JobRun, instanceDays: number): Promise<void> {
  let last: string | undefined;
  for (;;) {
    const workspaces = await listRetentions(db, last, WORKSPACES);
    for (const { workspaceId, days } of workspaces) {
      if (signal.aborted) return;
      await purgePayloadObservations(db, workspaceId, {
        now,
        days: Math.min(days ?? instanceDays, instanceDays),
        signal,
      });
    }
    last = workspaces.at(-1)?.workspaceId;
    if (workspaces.length < WORKSPACES) return;
  }
}
