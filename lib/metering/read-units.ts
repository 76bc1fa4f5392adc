import type { Context } from "@/lib/platform/context";
import { authorize, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { findUnits } from "./queries-units";

/**
 * Report units used in the current month. `limit` is null for a plan without one.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readUnits(
  context: Context,
  input: { workspaceId: string },
): Promise<{ period: string; used: number; limit: number | null }> {
  const { plan } = await authorize(context, input.workspaceId, "usage.read");
  const { period, used } = await findUnits(context.db, input.workspaceId);
  return { period, used, limit: PLAN_LIMITS[plan].reportUnits };
}
