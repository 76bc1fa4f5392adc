import type { Db } from "@/db/client";
import { actorId } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize, requireId } from "@/lib/tenancy/workspaces";
import { type AlertRow, lockAlert } from "./queries";

const UNKNOWN = "There is no such alert";

/**
 * Locks an alert until the transaction ends. For an alert of somebody else, the actor needs the permission to manage
 * views.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function lockOwnAlert(
  context: Context,
  tx: Db,
  input: { workspaceId: string; alertId: string },
): Promise<AlertRow> {
  const { workspaceId } = input;
  const alertId = requireId("alert", input.alertId, UNKNOWN);
  const alert = await lockAlert(tx, { workspaceId, alertId });
  if (!alert) throw new AppError("not_found", { message: UNKNOWN });
  const isOwn = context.actor.kind === "user" && alert.createdBy === actorId(context.actor);
  if (!isOwn) await authorize({ ...context, db: tx }, workspaceId, "view.manage");
  return alert;
}
