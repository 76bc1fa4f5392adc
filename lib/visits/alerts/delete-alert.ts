import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { lockOwnAlert } from "./lock-own-alert";
import { removeAlert } from "./queries";

/**
 * Deletes an alert. For an alert of somebody else, the actor needs the permission to manage views.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteAlert(
  context: Context,
  { workspaceId, alertId }: { workspaceId: string; alertId: string },
) {
  await authorize(context, workspaceId, "alert.manage");
  await context.db.transaction(async (tx) => {
    const { name } = await lockOwnAlert(context, tx, { workspaceId, alertId });
    await removeAlert(tx, { workspaceId, alertId });
    await recordAudit(tx, context, { workspaceId, action: "alert.delete", target: alertId, detail: { name } });
  });
  return { alertId };
}
