import { foldUsage } from "@/lib/metering";
import type { JobRun } from "./job";
import { listWorkspaceIdsAfter } from "./queries-retention";

const WORKSPACES = 500;

/** Folds the counted calls and deliveries of every workspace into its days. */
export async function foldAllUsage({ db, signal }: JobRun): Promise<void> {
  let last: string | undefined;
  for (;;) {
    const workspaceIds = await listWorkspaceIdsAfter(db, last, WORKSPACES);
    for (const workspaceId of workspaceIds) {
      if (signal.aborted) return;
      await foldUsage(db, workspaceId);
    }
    last = workspaceIds.at(-1);
    if (workspaceIds.length < WORKSPACES) return;
  }
}
