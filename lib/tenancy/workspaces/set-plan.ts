import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "./authorize";
import type { COMMERCIAL_PLANS } from "./domain/plans";
import { lockWorkspace, updateWorkspace } from "./queries";

/**
 * Sets the plan of a workspace. Takes effect with the next request.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function setPlan(
  context: Context,
  input: { workspaceId: string; plan: (typeof COMMERCIAL_PLANS)[number] },
) {
  const { workspaceId, plan } = input;
  await authorize(context, workspaceId, "workspace.setPlan");
  await context.db.transaction(async (tx) => {
    const before = await lockWorkspace(tx, workspaceId);
    if (!before || before.plan === plan) return;
    await updateWorkspace(tx, workspaceId, { plan });
    await recordAudit(tx, context, {
      workspaceId,
      action: "workspace.set_plan",
      target: workspaceId,
      detail: { from: before.plan, to: plan },
    });
  });
  return { workspaceId, plan };
}
