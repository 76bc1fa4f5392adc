import { forgetOldInCases } from "@/lib/tenancy/cases";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { eachWorkspace } from "@/lib/tenancy/workspaces";
import type { JobRun } from "./job";

/** Removes visits and addresses from cases once they exceed their workspace's retention. */
export async function deleteOldCaseItems(run: JobRun, instanceDays: number): Promise<void> {
  await eachInTurn(eachWorkspace(run.db), run.signal, ({ workspaceId, days }) =>
    forgetOldInCases(run.db, workspaceId, { ...run, days: Math.min(days ?? instanceDays, instanceDays) }),
  );
}
