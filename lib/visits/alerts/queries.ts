import { and, asc, count, eq, gt, isNull, lte, or, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { viewAlerts } from "@/db/schema";

export type AlertRow = typeof viewAlerts.$inferSelect;
export type NewAlert = Omit<
  typeof viewAlerts.$inferInsert,
  "createdAt" | "checkedAt" | "openedAt" | "openedVisits" | "openedLimit" | "closedAt" | "noticeDueAt"
>;
type AlertRef = Pick<AlertRow, "workspaceId" | "alertId">;

const columns = {
  workspaceId: viewAlerts.workspaceId,
  alertId: viewAlerts.alertId,
  viewId: viewAlerts.viewId,
  name: viewAlerts.name,
  condition: viewAlerts.condition,
  threshold: viewAlerts.threshold,
  windowMinutes: viewAlerts.windowMinutes,
  mailTo: viewAlerts.mailTo,
  quietFrom: viewAlerts.quietFrom,
  quietTo: viewAlerts.quietTo,
  zone: viewAlerts.zone,
  createdBy: viewAlerts.createdBy,
  createdAt: viewAlerts.createdAt,
  checkedAt: viewAlerts.checkedAt,
  openedAt: viewAlerts.openedAt,
  openedVisits: viewAlerts.openedVisits,
  openedLimit: viewAlerts.openedLimit,
  closedAt: viewAlerts.closedAt,
  noticeDueAt: viewAlerts.noticeDueAt,
};

const ofAlert = ({ workspaceId, alertId }: AlertRef) =>
  and(eq(viewAlerts.workspaceId, workspaceId), eq(viewAlerts.alertId, alertId));

export const listAlertRows = (db: Db, workspaceId: string): Promise<AlertRow[]> =>
  db.select(columns).from(viewAlerts).where(eq(viewAlerts.workspaceId, workspaceId)).orderBy(asc(viewAlerts.name));

export async function countAlerts(db: Db, workspaceId: string): Promise<number> {
  const [row] = await db.select({ alerts: count() }).from(viewAlerts).where(eq(viewAlerts.workspaceId, workspaceId));
  return row?.alerts ?? 0;
}

export async function insertAlert(tx: Db, row: NewAlert): Promise<void> {
  await tx.insert(viewAlerts).values(row);
}

/** Reads an alert and locks it until the transaction ends. */
export async function lockAlert(tx: Db, alert: AlertRef): Promise<AlertRow | undefined> {
  const [row] = await tx.select(columns).from(viewAlerts).where(ofAlert(alert)).for("update");
  return row;
}

export async function removeAlert(tx: Db, alert: AlertRef): Promise<void> {
  await tx.delete(viewAlerts).where(ofAlert(alert));
}

/** Alerts with long windows are checked less often than those with short ones. */
const isDue = (now: Date) =>
  or(
    isNull(viewAlerts.checkedAt),
    // Checked before the clock was set back.
    gt(viewAlerts.checkedAt, sql`${now.toISOString()}::timestamptz + interval '1 minute'`),
    lte(
      viewAlerts.checkedAt,
      sql`${now.toISOString()}::timestamptz - make_interval(mins => greatest(1, ${viewAlerts.windowMinutes} / 60))`,
    ),
  );

/** Alerts of all workspaces that are due for a check. */
export const listDueAlerts = (db: Db, now: Date, limit: number): Promise<AlertRow[]> =>
  db
    .select(columns)
    .from(viewAlerts)
    .where(isDue(now))
    .orderBy(sql`${viewAlerts.checkedAt} asc nulls first`)
    .limit(limit);

type Change = Partial<Omit<AlertRow, "workspaceId" | "alertId" | "createdBy" | "createdAt">>;

export async function updateAlert(tx: Db, alert: AlertRef, change: Change): Promise<void> {
  await tx.update(viewAlerts).set(change).where(ofAlert(alert));
}

/** Ends the notification of an alert's incident, unless another incident has begun since the alert was read. */
export async function endNotice(db: Db, { openedAt, ...alert }: AlertRow): Promise<void> {
  const ofIncident = openedAt === null ? isNull(viewAlerts.openedAt) : eq(viewAlerts.openedAt, openedAt);
  await db
    .update(viewAlerts)
    .set({ noticeDueAt: null })
    .where(and(ofAlert(alert), ofIncident));
}

/** Alerts whose notification is due by `now`. */
export const listDueNotices = (db: Db, now: Date, limit: number): Promise<AlertRow[]> =>
  db.select(columns).from(viewAlerts).where(lte(viewAlerts.noticeDueAt, now)).limit(limit);
