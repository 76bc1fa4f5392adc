import { oldestWriteSeconds } from "@/db/open-writes";
import { foldUsage } from "@/lib/metering";
import { eachWorkspace } from "./each-workspace";
import type { JobRun } from "./job";

/** Aggregates the counted calls and deliveries of every workspace into its days. */
export async function foldAllUsage(run: JobRun): Promise<void> {
  const openSeconds = await oldestWriteSeconds(run.db);
  for await (const { workspaceId } of eachWorkspace(run)) await foldUsage(run.db, workspaceId, { openSeconds });
}
