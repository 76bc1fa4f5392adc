import type { Context } from "@/lib/platform/context";
import { authorize, keptRetention } from "@/lib/tenancy/workspaces";
import { countVisitsBefore, countVisitsSince } from "@/lib/visits/visit-store";
import { DAY_MS, HOUR_MS } from "@/lib/platform/calendar";

const BOUND = 200_000;

/** `isMore` means that there are more visits than were counted. */
export type AffectedVisits = { visits: number; isMore: boolean };

const affected = (counted: number): AffectedVisits => ({
  visits: Math.min(counted, BOUND),
  isMore: counted > BOUND,
});

/**
 * Counts the visits that a Web App, or one of its origins, had in the last hour: traffic that stops when it is archived
 * or removed.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function countRecentVisits(
  context: Context,
  { workspaceId, webAppId, origin }: { workspaceId: string; webAppId: string; origin?: string | undefined },
): Promise<AffectedVisits> {
  await authorize(context, workspaceId, "webApp.read");
  const from = new Date(context.now.getTime() - HOUR_MS);
  return affected(await countVisitsSince(context.db, { workspaceId, webAppId, origin, from, bound: BOUND + 1 }));
}

/**
 * Counts the visits that a retention of `days` would delete. 0 if it is no shorter than the instance's own retention.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function countVisitsBeyond(
  context: Context,
  { workspaceId, days }: { workspaceId: string; days: number | null },
): Promise<AffectedVisits> {
  await authorize(context, workspaceId, "privacy.manage");
  const to = new Date(context.now.getTime() - keptRetention(days) * DAY_MS);
  return affected(await countVisitsBefore(context.db, { workspaceId, to, bound: BOUND + 1 }));
}
