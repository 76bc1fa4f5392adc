import { foldUsage } from "@/lib/metering";
import { listRetentions } from "@/lib/tenancy/workspaces";
import type { JobRun } from "./job";

const WORKSPACES = 500;

/** Folds the counted calls and deliveries of every workspace into its days. */
export async function foldAllUsage({ db, signal }: JobRun): Promise<void> {
  let last: string | undefined;
  for (;;) {
    const workspaces = await listRetentions(db, last, WORKSPACES);
    for (const { workspaceId } of workspaces) {
      if (signal.aborted) return;
      await foldUsage(db, workspaceId);
    }
    last = workspaces.at(-1)?.workspaceId;
    if (workspaces.length < WORKSPACES) return;
  }
}
