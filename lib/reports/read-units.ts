import type { Context } from "@/lib/context";
import { authorize, PLAN_LIMITS } from "@/lib/workspaces";
import { findUnits } from "./queries-console";

/**
 * Report units of the present month. `limit` is null on a plan without one.
 *
 * @throws AppError not_found, forbidden
 */
export async function readUnits(
  context: Context,
  input: { workspaceId: string },
): Promise<{ period: string; used: number; limit: number | null }> {
  const { plan } = await authorize(context, input.workspaceId, "usage.read");
  return { ...(await findUnits(context.db, input.workspaceId)), limit: PLAN_LIMITS[plan].reportUnits };
}
