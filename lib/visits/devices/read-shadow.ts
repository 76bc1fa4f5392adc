import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { type ShadowCounts, sumShadows } from "@/lib/visits/visit-store";

export const SHADOW_DAYS = 30;

/**
 * How often the evidence alone would have found the device that a valid token named, in the last 30 days.
 *
 * @throws AppError not_found, forbidden
 */
export async function readShadow(context: Context, { workspaceId }: { workspaceId: string }): Promise<ShadowCounts> {
  await authorize(context, workspaceId, "report.read");
  return await sumShadows(context.db, workspaceId, SHADOW_DAYS);
}
