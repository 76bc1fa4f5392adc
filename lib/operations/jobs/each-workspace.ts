import { listRetentions } from "@/lib/tenancy/workspaces";
import type { JobRun } from "./job";

const WORKSPACES = 500;

/** Every workspace in order, with its own number of days for visits, if it has one; ends early when the job is stopped. */
export async function* eachWorkspace({ db, signal }: Pick<JobRun, "db" | "signal">) {
  for (let last: string | undefined; ;) {
    const workspaces = await listRetentions(db, last, WORKSPACES);
    for (const workspace of workspaces) {
      if (signal.aborted) return;
      yield workspace;
    }
    last = workspaces.at(-1)?.workspaceId;
    if (workspaces.length < WORKSPACES) return;
  }
}
