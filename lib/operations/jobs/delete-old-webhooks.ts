import { endWaitsOfEarlierClock, purgeFormerSecrets, purgeMessages } from "@/lib/tenancy/webhooks";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { eachWorkspace } from "@/lib/tenancy/workspaces";
import type { JobRun } from "./job";

/**
 * Deletes webhook messages beyond their retention, and endpoint secrets that were replaced. When the clock was set back,
 * all jobs run at once, and this one also makes due what waits for times of the earlier clock.
 */
export async function deleteOldWebhooks(run: JobRun): Promise<void> {
  await endWaitsOfEarlierClock(run.db, 0);
  await purgeFormerSecrets(run.db);
  await eachInTurn(eachWorkspace(run.db), run.signal, ({ workspaceId, days }) =>
    purgeMessages(run.db, workspaceId, { ...run, days }),
  );
}
