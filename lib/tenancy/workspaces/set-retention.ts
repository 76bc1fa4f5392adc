import type { Context } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "./authorize";
import { changeSettings } from "./change-settings";
import { isRetention, MIN_RETENTION_DAYS } from "./domain/retention";
import { keptRetention } from "./kept-retention";

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
  await changeSettings(context, workspaceId, {
    action: "workspace.set_retention",
    change: { retentionDays: days },
    shown: ({ retentionDays }) => retentionDays ?? "as the instance",
  });
  return { workspaceId, retentionDays: days, keptDays: keptRetention(days) };
}
