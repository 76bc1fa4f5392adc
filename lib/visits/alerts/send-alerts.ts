import type { Database } from "@/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { sendMail } from "@/lib/platform/mail";
import { announceOnce } from "@/lib/tenancy/webhooks";
import { listMembers } from "@/lib/tenancy/workspaces";
import { type AlertRow, listDueNotices, lockAlert, updateAlert } from "./queries";

const AT_ONCE = 100;
/** Whoever takes a notice and does not finish it has this long; then it is sent by another process. */
const CLAIM_MS = 5 * 60_000;

type Mail = Parameters<typeof sendMail>[1];
type Outlets = { smtpUrl: string | undefined; send: (smtpUrl: string, mail: Mail) => Promise<void> };

const OUTLETS: Outlets = { smtpUrl: env.SMTP_URL, send: sendMail };

const grouped = new Intl.NumberFormat("en-US");

export function alertMail(alert: AlertRow, to: string): Mail {
  const { workspaceId, name, openedAt, openedVisits, openedLimit, windowMinutes, closedAt } = alert;
  const page = new URL(`/w/${workspaceId}/alerts`, env.BASE_URL ?? `http://localhost:${env.PORT}`);
  const span = windowMinutes % 60 === 0 ? `${windowMinutes / 60} h` : `${windowMinutes} minutes`;
  return {
    to,
    subject: `Alert: ${name}`,
    text: [
      `${grouped.format(openedVisits ?? 0)} ${openedVisits === 1 ? "visit" : "visits"} within ${span}, more than ${grouped.format(openedLimit ?? 0)}.`,
      `It began at ${openedAt?.toISOString() ?? ""}${closedAt ? ` and ended at ${closedAt.toISOString()}` : " and goes on"}.`,
      `The visits, and the alert itself:\n${page.href}`,
    ].join("\n\n"),
  };
}

/** Takes a notice and queues its message to endpoints; nothing when another process has taken it. */
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

async function mailMembers(db: Database, alert: AlertRow, now: Date, { smtpUrl, send }: Outlets): Promise<boolean> {
  if (alert.mailTo.length === 0) return true;
  if (smtpUrl === undefined) {
    log.warn({ alertId: alert.alertId }, "no mail server is set up: an alert is told to webhooks only");
    return true;
  }
  const { workspaceId } = alert;
  const members = await listMembers({ db, now, actor: { kind: "system" } }, { workspaceId });
  const addressees = members.filter(({ userId }) => alert.mailTo.includes(userId));
  const sent = await Promise.allSettled(addressees.map(({ email }) => send(smtpUrl, alertMail(alert, email))));
  const failed = sent.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
  if (failed.length > 0)
    log.warn({ err: failed[0], alertId: alert.alertId }, "an alert was not mailed to every member");
  // Sent again only where nobody got it: nobody is told twice.
  return addressees.length === 0 || failed.length < addressees.length;
}

/** Tells of the incidents that are due, each once: by mail and by a message to endpoints that listen. */
export async function sendAlerts(
  db: Database,
  now: Date,
  signal: AbortSignal,
  outlets: Outlets = OUTLETS,
): Promise<void> {
  for (const due of await listDueNotices(db, now, AT_ONCE)) {
    if (signal.aborted) return;
    const alert = await takeNotice(db, due, now);
    if (alert && (await mailMembers(db, alert, now, outlets))) await updateAlert(db, alert, { noticeDueAt: null });
  }
}
