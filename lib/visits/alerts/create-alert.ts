import { actorId, recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { authorize, lockWorkspace } from "@/lib/tenancy/workspaces";
import { countAlerts, insertAlert } from "./queries";
import { type AlertInput, requireAlert, requireMembers } from "./require-alert";

const MAX_ALERTS = 20;

/**
 * Creates an alert on a saved view. If its visits exceed a number, or the same hours of earlier weeks, members receive
 * an e-mail and endpoints subscribed to `alert.raised` a message, once per incident.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `conflict`
 */
export async function createAlert(context: Context, input: AlertInput) {
  const { workspaceId } = input;
  await authorize(context, workspaceId, "alert.manage");
  const alert = await requireAlert(context, input);
  const mailTo = await requireMembers(context, workspaceId, input.mailTo);
  const alertId = newId("alert");
  const { name, viewId, condition, threshold, windowMinutes } = alert;
  await context.db.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    if ((await countAlerts(tx, workspaceId)) >= MAX_ALERTS)
      throw new AppError("conflict", { message: `A workspace has at most ${MAX_ALERTS} alerts. Delete one first` });
    await insertAlert(tx, { workspaceId, alertId, ...alert, mailTo, createdBy: actorId(context.actor) });
    const detail = { name, view: viewId, condition, threshold, window_minutes: windowMinutes };
    await recordAudit(tx, context, { workspaceId, action: "alert.create", target: alertId, detail });
  });
  return { alertId, name };
}
