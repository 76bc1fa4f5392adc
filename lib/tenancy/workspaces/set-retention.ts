import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "./authorize";
import { isRetention, MIN_RETENTION_DAYS } from "./domain/retention";
import { keptRetention } from "./kept-retention";
import { lockWorkspace, updateWorkspace } from "./queries";

/**
 * Sets a workspace's retention of visits in days; null applies the instance's. Older visits are deleted within the hour.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function setRetention(context: Context, input: { workspaceId: string; days: number | null }) {
  const { workspaceId, days } = input;
  await authorize(context, workspaceId, "privacy.manage");
  if (days !== null && !isRetention(days, env.RETENTION_DAYS)) {
    throw new AppError("invalid_request", {
      message: `Retention must be ${MIN_RETENTION_DAYS} to ${env.RETENTION_DAYS} days, the maximum of this instance`,
    });
  }
  await context.db.transaction(async (tx) => {
    const before = await lockWorkspace(tx, workspaceId);
    if (!before || before.retentionDays === days) return;
    await updateWorkspace(tx, workspaceId, { retentionDays: days });
    await recordAudit(tx, context, {
      workspaceId,
      action: "workspace.set_retention",
      target: workspaceId,
      detail: { from: before.retentionDays ?? "as the instance", to: days ?? "as the instance" },
    });
  });
  return { workspaceId, retentionDays: days, keptDays: keptRetention(days) };
}
