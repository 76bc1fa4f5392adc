import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { newId } from "@/lib/contract/ids";
import { createWorkspace, ensureUser } from "@/lib/tenancy/workspaces";

type FirstOwner = {
  email: string;
  workspaceName: string;
  /** How the instance was set up: by its one-time link, or by the environment on first start. */
  by: "link" | "environment";
};

/**
 * Creates the owner, who is also an operator, and the first workspace, and returns the owner's context. Call it in a
 * transaction that holds the set-up lock.
 *
 * @throws AppError `invalid_request`
 */
export async function makeFirstOwner(request: Omit<Context, "actor">, { email, workspaceName, by }: FirstOwner) {
  const userId = await ensureUser(request.db, { userId: newId("user"), email, isOperator: true });
  const context: Context = { ...request, actor: { kind: "user", userId, email, isOperator: true } };
  const { workspaceId } = await createWorkspace(context, { name: workspaceName });
  await recordAudit(request.db, context, {
    workspaceId: SYSTEM_WORKSPACE_ID,
    action: "setup.complete",
    target: userId,
    detail: { email, workspaceId, by },
  });
  return { context, userId, workspaceId };
}
