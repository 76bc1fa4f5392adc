import { actorId } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { listViews } from "@/lib/tenancy/views";
import { authorize, listMembers, roleHas } from "@/lib/tenancy/workspaces";
import type { Condition } from "./domain/limit";
import { formatTimeOfDay } from "./domain/quiet-hours";
import { type AlertRow, listAlertRows } from "./queries";

export type Alert = {
  alertId: string;
  name: string;
  view: { viewId: string; name: string; query?: string };
  condition: Condition;
  threshold: number;
  windowMinutes: number;
  /** Addresses of the notified members who are still members. */
  mailTo: string[];
  /** Ids of the same members. */
  mailToIds: string[];
  quietHours: { from: string; to: string; zone: string } | null;
  checkedAt: Date | null;
  /** The latest incident; ongoing if `closedAt` is null. */
  incident: { openedAt: Date; visits: number; limit: number; closedAt: Date | null } | null;
  canChange: boolean;
};

const incidentOf = ({ openedAt, openedVisits, openedLimit, closedAt }: AlertRow): Alert["incident"] =>
  openedAt === null ? null : { openedAt, visits: openedVisits ?? 0, limit: openedLimit ?? 0, closedAt };

/**
 * Lists a workspace's alerts by name, each with its latest incident.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listAlerts(context: Context, { workspaceId }: { workspaceId: string }): Promise<Alert[]> {
  const { role } = await authorize(context, workspaceId, "alert.manage");
  const [rows, views, members] = await Promise.all([
    listAlertRows(context.db, workspaceId),
    listViews(context, { workspaceId }),
    listMembers(context, { workspaceId }),
  ]);
  const isManager = role === undefined || roleHas(role, "view.manage");
  return rows.map((row): Alert => {
    const view = views.find(({ viewId }) => viewId === row.viewId);
    const { alertId, name, condition, threshold, windowMinutes, checkedAt, quietFrom, quietTo, zone } = row;
    return {
      ...{ alertId, name, condition, threshold, windowMinutes, checkedAt },
      view: {
        viewId: row.viewId,
        name: view?.name ?? "",
        ...(view?.query !== undefined && { query: view.query }),
      },
      mailTo: members.flatMap(({ userId, email }) => (row.mailTo.includes(userId) ? [email] : [])),
      mailToIds: row.mailTo.filter((userId) => members.some((member) => member.userId === userId)),
      quietHours:
        quietFrom === null || quietTo === null
          ? null
          : { from: formatTimeOfDay(quietFrom), to: formatTimeOfDay(quietTo), zone },
      incident: incidentOf(row),
      canChange: isManager || (row.createdBy !== "" && row.createdBy === actorId(context.actor)),
    };
  });
}
