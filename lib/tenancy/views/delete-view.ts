import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { lockOwnView } from "./lock-own-view";
import { removeView } from "./queries";

/**
 * Deletes a saved view. Reports are not affected.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteView(context: Context, input: { workspaceId: string; viewId: string }) {
  const { workspaceId, viewId } = input;
  await authorize(context, workspaceId, "view.use");
  await context.db.transaction(async (tx) => {
    const { name } = await lockOwnView(tx, context, input);
    await removeView(tx, workspaceId, viewId);
    await recordAudit(tx, context, { workspaceId, action: "report_view.delete", target: viewId, detail: { name } });
  });
  return { viewId };
}
