import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "./authorize";
import { lockWorkspace, updateWorkspace } from "./queries";
import { requireName } from "./require";

/**
 * Renames a workspace.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function renameWorkspace(context: Context, input: { workspaceId: string; name: string }) {
  const { workspaceId } = input;
  await authorize(context, workspaceId, "workspace.manage");
  const name = requireName(input.name);
  await context.db.transaction(async (tx) => {
    const before = await lockWorkspace(tx, workspaceId);
    if (!before || before.name === name) return;
    await updateWorkspace(tx, workspaceId, { name });
    await recordAudit(tx, context, {
      workspaceId,
      action: "workspace.rename",
      target: workspaceId,
      detail: { from: before.name, to: name },
    });
  });
  return { workspaceId, name };
}
