import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { type ShadowCounts, sumShadows } from "@/lib/visits/visit-store";

const SHADOW_DAYS = 30;

/**
 * Counts how often the evidence alone would have found the token's device, over the last `days`.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readShadow(
  context: Context,
  { workspaceId, days = SHADOW_DAYS }: { workspaceId: string; days?: number },
): Promise<ShadowCounts> {
  await authorize(context, workspaceId, "report.read");
  return await sumShadows(context.db, workspaceId, days);
}
