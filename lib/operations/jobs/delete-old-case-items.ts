import { forgetOldInCases } from "@/lib/tenancy/cases";
import { eachWorkspace } from "./each-workspace";
import type { JobRun } from "./job";

/** Takes visits and addresses out of cases once their workspace does not keep them any more. */
export async function deleteOldCaseItems(run: JobRun, instanceDays: number): Promise<void> {
  for await (const { workspaceId, days } of eachWorkspace(run))
    await forgetOldInCases(run.db, workspaceId, { ...run, days: Math.min(days ?? instanceDays, instanceDays) });
}
