import type { Database } from "@/db/client";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { announceOnce, listListeningWorkspaces } from "@/lib/tenancy/webhooks";
import { readUnits } from "./read-units";

const THRESHOLDS = [
  { type: "quota.threshold_reached", share: 0.8 },
  { type: "quota.exhausted", share: 1 },
] as const;

async function announceFor(db: Database, workspaceId: string): Promise<void> {
  const context = { db, now: new Date(), actor: { kind: "system" } as const };
  const { period, used, limit } = await readUnits(context, { workspaceId });
  if (limit === null) return;
  const data = { workspace_id: workspaceId, period, used_report_units: used, total_report_units: limit };
  for (const { type, share } of THRESHOLDS) {
    if (used < limit * share) continue;
    // Named by the number of units too: after a plan change in the same month, the new thresholds are announced again.
    const event = { type, name: `${period} ${limit}`, workspaceId, streamId: workspaceId, data };
    await db.transaction((tx) => announceOnce(tx, event));
  }
}

/**
 * Announces quotas that are nearly or fully used to webhook endpoints, once per period. Units are counted in slices that no
 * delivery sums up, so a job checks the sum every minute.
 */
export async function announceQuotas(db: Database, signal: AbortSignal): Promise<void> {
  const listening = await listListeningWorkspaces(db, ["quota.threshold_reached", "quota.exhausted"]);
  await eachInTurn(listening, signal, (workspaceId) => announceFor(db, workspaceId));
}
