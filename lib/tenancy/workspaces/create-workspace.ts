import { recordAudit } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/contract/ids";
import type { Plan } from "./domain/plans";
import { insertWorkspace } from "./queries";
import { insertMember } from "./queries-members";
import { requireName } from "./require";

/**
 * Creates a workspace, by default on the instance's default plan. If the actor is a user, they become its owner.
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
    const { workspaceId } = workspace;
    await insertWorkspace(tx, workspace);
    if (context.actor.kind === "user") {
      const { userId } = context.actor;
      await insertMember(tx, { workspaceId, userId, role: "owner", canSeeAddresses: true });
    }
    await recordAudit(tx, context, {
      workspaceId,
      action: "workspace.create",
      target: workspaceId,
      detail: { name: workspace.name, plan: workspace.plan },
    });
  });
  return workspace;
}
