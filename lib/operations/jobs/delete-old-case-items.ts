import { forgetOldInCases } from "@/lib/tenancy/cases";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { eachWorkspace } from "@/lib/tenancy/workspaces";
import type { JobRun } from "./job";

/** Takes visits and addresses out of cases once their workspace does not keep them any more. */
export async function deleteOldCaseItems(run: JobRun, instanceDays: number): Promise<void> {
  await eachInTurn(eachWorkspace(run.db), run.signal, ({ workspaceId, days }) =>
    forgetOldInCases(run.db, workspaceId, { ...run, days: Math.min(days ?? instanceDays, instanceDays) }),
  );
}
