import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "./authorize";
import { lockWorkspace, updateWorkspace } from "./queries";

/**
 * Turns the audit logging of Report views on or off. The change itself is audited.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function setViewLog(context: Context, input: { workspaceId: string; isOn: boolean }) {
  const { workspaceId, isOn } = input;
  await authorize(context, workspaceId, "privacy.manage");
  await context.db.transaction(async (tx) => {
    const before = await lockWorkspace(tx, workspaceId);
    if (!before || before.logsReportViews === isOn) return;
    await updateWorkspace(tx, workspaceId, { logsReportViews: isOn });
    await recordAudit(tx, context, {
      workspaceId,
      action: "workspace.set_view_log",
      target: workspaceId,
      detail: { from: before.logsReportViews, to: isOn },
    });
  });
  return { workspaceId, logsReportViews: isOn };
}
