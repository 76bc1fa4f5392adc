import { oldestWriteSeconds } from "@/db/open-writes";
import { foldUsage } from "@/lib/metering";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { eachWorkspace } from "@/lib/tenancy/workspaces";
import type { JobRun } from "./job";

/** Aggregates every workspace's counted calls and deliveries by day. */
export async function foldAllUsage(run: JobRun): Promise<void> {
  const openSeconds = await oldestWriteSeconds(run.db);
  await eachInTurn(eachWorkspace(run.db), run.signal, ({ workspaceId }) =>
    foldUsage(run.db, workspaceId, { openSeconds }),
  );
}
