import { recordAudit } from "@/lib/audit";
import type { Context } from "@/lib/context";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { requireOperator } from "./authorize";
import type { Plan } from "./domain/plans";
import { insertWorkspace } from "./queries";
import { requireName } from "./require";

/**
 * Creates a workspace, on the instance's default plan unless another one is named.
 *
 * @throws AppError `forbidden`, `invalid_request`
 */
export async function createWorkspace(
  context: Context,
  input: { workspaceId?: string; name: string; plan?: Plan | undefined },
) {
  requireOperator(context);
  const workspace = {
    workspaceId: input.workspaceId ?? newId("workspace"),
    name: requireName(input.name),
    plan: input.plan ?? env.DEFAULT_PLAN,
  };
  await context.db.transaction(async (tx) => {
    await insertWorkspace(tx, workspace);
    await recordAudit(tx, context, {
      workspaceId: workspace.workspaceId,
      action: "workspace.create",
      target: workspace.workspaceId,
      detail: { name: workspace.name, plan: workspace.plan },
    });
  });
  return workspace;
}
