import { purgeSightings } from "@/lib/visits/repeats";
import type { JobRun } from "./job";
import { listRetentionsAfter } from "./queries-retention";

const WORKSPACES = 500;

/** Deletes what workspaces no longer need to notice repetitions by: never older than the visits that they keep. */
export async function deleteOldSightings({ db, now, signal }: JobRun, instanceDays: number): Promise<void> {
  let last: string | undefined;
  for (;;) {
    const workspaces = await listRetentionsAfter(db, last, WORKSPACES);
    for (const { workspaceId, days } of workspaces) {
      if (signal.aborted) return;
      await purgeSightings(db, workspaceId, { now, days: Math.min(days ?? instanceDays, instanceDays), signal });
    }
    last = workspaces.at(-1)?.workspaceId;
    if (workspaces.length < WORKSPACES) return;
  }
}
