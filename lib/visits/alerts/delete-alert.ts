import { actorId, recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize, requireId } from "@/lib/tenancy/workspaces";
import { lockAlert, removeAlert } from "./queries";

const UNKNOWN = "There is no such alert";

/**
 * Deletes an alert; those of others need the right to change their views.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteAlert(context: Context, input: { workspaceId: string; alertId: string }) {
  const { workspaceId } = input;
  await authorize(context, workspaceId, "alert.manage");
  const alertId = requireId("alert", input.alertId, UNKNOWN);
  await context.db.transaction(async (tx) => {
    const alert = await lockAlert(tx, { workspaceId, alertId });
    if (!alert) throw new AppError("not_found", { message: UNKNOWN });
    const isOwn = context.actor.kind === "user" && alert.createdBy === actorId(context.actor);
    if (!isOwn) await authorize({ ...context, db: tx }, workspaceId, "view.manage");
    await removeAlert(tx, { workspaceId, alertId });
    await recordAudit(tx, context, {
      workspaceId,
      action: "alert.delete",
      target: alertId,
      detail: { name: alert.name },
    });
  });
  return { alertId };
}
