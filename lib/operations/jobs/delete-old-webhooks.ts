import { purgeFormerSecrets, purgeMessages } from "@/lib/tenancy/webhooks";
import { eachWorkspace } from "./each-workspace";
import type { JobRun } from "./job";

/** Deletes messages to endpoints that are older than they are kept, and secrets that were replaced. */
export async function deleteOldWebhooks(run: JobRun): Promise<void> {
  await purgeFormerSecrets(run.db);
  for await (const { workspaceId, days } of eachWorkspace(run))
    await purgeMessages(run.db, workspaceId, { ...run, days });
}
