import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { newId } from "@/lib/contract/ids";
import { createWorkspace, ensureUser } from "@/lib/tenancy/workspaces";

type FirstOwner = {
  email: string;
  workspaceName: string;
  /** What set the instance up: its one-time link, or the environment of its first start. */
  by: "link" | "environment";
};

/**
 * Makes the owner, who also runs the instance, and the first workspace; whoever calls it goes on as that owner. Call it
 * in a transaction that holds the lock of the set-up.
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
