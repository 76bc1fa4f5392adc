import type { Database } from "@/db/client";
import { baseUrl, env } from "@/lib/platform/env";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { announceOnce } from "@/lib/tenancy/webhooks";
import { mailMembers, type MembersMail } from "@/lib/tenancy/workspaces";
import { type AlertRow, endNotice, listDueNotices, lockAlert, updateAlert } from "./queries";

const MAX_NOTICES_PER_RUN = 100;
/** How long a process that claims a notification has to send it, before another process may. */
const CLAIM_MS = 5 * 60_000;

const grouped = new Intl.NumberFormat("en-US");

function mailOf(alert: AlertRow): MembersMail {
  const { workspaceId, name, mailTo, openedAt, openedVisits, openedLimit, windowMinutes, closedAt } = alert;
  const span = windowMinutes % 60 === 0 ? `${windowMinutes / 60} h` : `${windowMinutes} minutes`;
  return {
    isFor: ({ userId }) => mailTo.includes(userId),
    subject: `Alert: ${name}`,
    text: [
      `${grouped.format(openedVisits ?? 0)} ${openedVisits === 1 ? "visit" : "visits"} within ${span}, more than ${grouped.format(openedLimit ?? 0)}.`,
      `It began at ${openedAt?.toISOString() ?? ""}${closedAt ? ` and ended at ${closedAt.toISOString()}` : " and is ongoing"}.`,
      `The visits, and the alert itself:\n${baseUrl()}/w/${workspaceId}/alerts`,
    ].join("\n\n"),
  };
}

/** Claims a notification and queues its webhook message. Undefined if another process has claimed it. */
const takeNotice = (db: Database, { workspaceId, alertId }: AlertRow, now: Date) =>
  db.transaction(async (tx) => {
    const alert = await lockAlert(tx, { workspaceId, alertId });
    if (!alert?.openedAt || !alert.noticeDueAt || alert.noticeDueAt > now) return undefined;
    await updateAlert(tx, alert, { noticeDueAt: new Date(now.getTime() + CLAIM_MS) });
    const beganAt = alert.openedAt.toISOString();
    await announceOnce(tx, {
      type: "alert.raised",
      name: `${alertId} ${beganAt}`,
      workspaceId,
      streamId: alertId,
      data: {
        workspace_id: workspaceId,
        alert_id: alertId,
        view_id: alert.viewId,
        name: alert.name,
        visits: alert.openedVisits ?? 0,
        limit: alert.openedLimit ?? 0,
        window_minutes: alert.windowMinutes,
        began_at: beganAt,
      },
    });
    return alert;
  });

/** Sends due notifications once per incident, by mail and by webhook message. */
export async function sendAlerts(
  db: Database,
  now: Date,
  signal: AbortSignal,
  smtpUrl: string | undefined = env.SMTP_URL,
): Promise<void> {
  await eachInTurn(await listDueNotices(db, now, MAX_NOTICES_PER_RUN), signal, async (due) => {
    const alert = await takeNotice(db, due, now);
    if (!alert) return;
    const isSent = alert.mailTo.length === 0 || (await mailMembers(db, alert.workspaceId, mailOf(alert), smtpUrl));
    if (isSent) await endNotice(db, alert);
  });
}
