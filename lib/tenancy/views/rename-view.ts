import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize, lockWorkspace, requireName } from "@/lib/tenancy/workspaces";
import { lockOwnView } from "./lock-own-view";
import { updateViewName } from "./queries";
import { requireFreeName } from "./require-free-name";

/**
 * Renames a saved view.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `conflict`
 */
export async function renameView(context: Context, input: { workspaceId: string; viewId: string; name: string }) {
  const { workspaceId, viewId } = input;
  await authorize(context, workspaceId, "view.use");
  const name = requireName(input.name);
  await context.db.transaction(async (tx) => {
    // Serialised, so that concurrent changes cannot take the same name.
    await lockWorkspace(tx, workspaceId);
    const before = await lockOwnView(tx, context, input);
    if (before.name === name) return;
    await requireFreeName(tx, workspaceId, name);
    await updateViewName(tx, workspaceId, viewId, name);
    await recordAudit(tx, context, {
      workspaceId,
      action: "report_view.rename",
      target: viewId,
      detail: { from: before.name, to: name },
    });
  });
  return { viewId, name };
}
