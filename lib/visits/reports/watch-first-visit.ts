import type { Context } from "@/lib/platform/context";
import type { ReportStatus } from "@/lib/contract/report";
import { uuidToId } from "@/lib/contract/ids";
import { authorize } from "@/lib/tenancy/workspaces";
import { findFirstVisit } from "@/lib/visits/visit-store";

export type FirstVisit = {
  hasVisits: boolean;
  /** The first visit recorded after `since`. */
  firstSince: { imprint: string; recordedAt: Date; status: ReportStatus } | null;
  firstDeliveredAt: Date | null;
  /** The database time, to be passed as `since` in the next call. */
  at: Date;
};

const instant = (milliseconds: string) => new Date(Number(milliseconds));

/**
 * Tells whether the workspace has had its first visit, and one after `since`.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function watchFirstVisit(
  context: Context,
  input: { workspaceId: string; since: Date | null },
): Promise<FirstVisit> {
  await authorize(context, input.workspaceId, "report.read");
  const found = await findFirstVisit(context.db, input.workspaceId, input.since ?? undefined);
  if (!found) throw new Error("the database returned no row for its time");
  const { event_id, recorded_ms, status } = found;
  return {
    hasVisits: found.has_visits,
    firstSince:
      event_id === null || recorded_ms === null || status === null
        ? null
        : { imprint: uuidToId("imprint", event_id), recordedAt: instant(recorded_ms), status },
    firstDeliveredAt: found.delivered_ms === null ? null : instant(found.delivered_ms),
    at: instant(found.at_ms),
  };
}
