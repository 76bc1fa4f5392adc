import type { Context } from "@/lib/platform/context";
import { authorize } from "./authorize";
import { changeSettings } from "./change-settings";

/**
 * Turns the audit logging of Report views on or off. The change itself is audited.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function setViewLog(context: Context, input: { workspaceId: string; isOn: boolean }) {
  const { workspaceId, isOn } = input;
  await authorize(context, workspaceId, "privacy.manage");
  await changeSettings(context, workspaceId, {
    action: "workspace.set_view_log",
    change: { logsReportViews: isOn },
    shown: ({ logsReportViews }) => logsReportViews,
  });
  return { workspaceId, logsReportViews: isOn };
}
