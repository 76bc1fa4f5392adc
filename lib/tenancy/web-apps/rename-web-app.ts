import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize, requireName } from "@/lib/tenancy/workspaces";
import { updateWebAppName } from "./queries";
import { lockStoredWebApp } from "./read-stored";

/**
 * Renames a Web App.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function renameWebApp(context: Context, input: { workspaceId: string; webAppId: string; name: string }) {
  const { workspaceId, webAppId } = input;
  await authorize(context, workspaceId, "webApp.manage");
  const name = requireName(input.name);
  await context.db.transaction(async (tx) => {
    const before = await lockStoredWebApp(tx, workspaceId, webAppId);
    if (before.name === name) return;
    await updateWebAppName(tx, workspaceId, webAppId, name);
    await recordAudit(tx, context, {
      workspaceId,
      action: "web_app.rename",
      target: webAppId,
      detail: { from: before.name, to: name },
    });
  });
  return { webAppId, name };
}
