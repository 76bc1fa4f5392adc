import type { Database, Db } from "@/db/client";
import type { Context } from "@/lib/platform/context";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { log } from "@/lib/platform/log";
import { findView } from "@/lib/tenancy/views";
import { countReports, type ReportFilter } from "@/lib/visits/reports";
import { HISTORY_WEEKS, limitOf, stepOf } from "./domain/limit";
import { afterQuietHours } from "./domain/quiet-hours";
import { viewFilter } from "./view-filter";
import { type AlertRow, listDueAlerts, lockAlert, updateAlert } from "./queries";

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;
const MAX_ALERTS_PER_RUN = 500;

type Filter = Omit<ReportFilter, "from" | "to">;

async function countWithin(context: Context, filter: Filter, from: Date, to: Date): Promise<number> {
  const { total } = await countReports(context, { ...filter, from, to, starts: [from] });
  return total.PASS + total.SUSPICIOUS + total.DECEPTIVE;
}

/** Counts visits in the same hours of earlier weeks, for those weeks in which the workspace had any visits then. */
async function countEarlier(context: Context, filter: Filter, from: Date, to: Date): Promise<number[]> {
  const counts: number[] = [];
  for (let week = 1; week <= HISTORY_WEEKS; week += 1) {
    const [start, end] = [from, to].map((at) => new Date(at.getTime() - week * WEEK_MS));
    if (!start || !end) continue;
    const all = await countWithin(context, { workspaceId: filter.workspaceId }, start, end);
    if (all > 0) counts.push(await countWithin(context, filter, start, end));
  }
  return counts;
}

const quietHoursOf = ({ quietFrom: from, quietTo: to, zone }: AlertRow) =>
  from === null || to === null ? undefined : { from, to, zone };

/** Opens, continues or closes an incident, unless another process has done so meanwhile. */
async function applyCount(db: Db, alert: AlertRow, visits: number, limit: number, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const stored = await lockAlert(tx, alert);
    if (!stored || stored.checkedAt?.getTime() !== alert.checkedAt?.getTime()) return;
    const isOpen = stored.openedAt !== null && stored.closedAt === null;
    const step = stepOf(isOpen, visits, limit);
    const incident = {
      opens: {
        ...{ openedAt: now, openedVisits: visits, openedLimit: limit, closedAt: null },
        // A pending notification of the previous incident is sent together with this one.
        noticeDueAt: stored.noticeDueAt ?? afterQuietHours(now, quietHoursOf(stored)),
      },
      continues: { openedVisits: Math.max(visits, stored.openedVisits ?? 0) },
      ends: { closedAt: now },
      none: {},
    }[step];
    await updateAlert(tx, alert, { checkedAt: now, ...incident });
  });
}

async function checkAlert(db: Database, alert: AlertRow, now: Date): Promise<void> {
  const { workspaceId, viewId, windowMinutes, condition, threshold } = alert;
  const context: Context = { db, now, actor: { kind: "system" } };
  const view = await findView(context, { workspaceId, viewId });
  const filter = view?.query === undefined ? undefined : viewFilter(workspaceId, view.query);
  // An alert that cannot be checked is due again after the others.
  if (!filter) {
    await updateAlert(db, alert, { checkedAt: now });
    return;
  }
  const from = new Date(now.getTime() - windowMinutes * MINUTE_MS);
  const visits = await countWithin(context, filter, from, now);
  const earlier = condition === "history" ? await countEarlier(context, filter, from, now) : [];
  const limit = limitOf(condition, threshold, earlier);
  if (limit === undefined) await updateAlert(db, alert, { checkedAt: now });
  else await applyCount(db, alert, visits, limit, now);
}

/** Checks all due alerts. A failure of one does not prevent the others from being checked. */
export async function checkAlerts(db: Database, now: Date, signal: AbortSignal): Promise<void> {
  await eachInTurn(await listDueAlerts(db, now, MAX_ALERTS_PER_RUN), signal, async (alert) => {
    try {
      await checkAlert(db, alert, now);
    } catch (error) {
      log.warn({ err: error, alertId: alert.alertId }, "could not check an alert; it will be retried");
      await updateAlert(db, alert, { checkedAt: now });
    }
  });
}
