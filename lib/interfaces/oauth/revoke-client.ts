import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "@/lib/tenancy/workspaces";
import { findConnection, listConnections } from "./queries";
import { deleteGrant } from "./queries-records";
import { requireOwnOrAll } from "./require-own-or-all";

type Connection = NonNullable<Awaited<ReturnType<typeof findConnection>>>;

async function revoke(context: Context, workspaceId: string, { grantId, clientId, clientName, userId }: Connection) {
  await deleteGrant(context.db, grantId);
  await recordAudit(context.db, context, {
    workspaceId,
    action: "oauth_client.revoke",
    target: clientId,
    detail: { name: clientName, userId, grantId },
  });
}

/**
 * Ends one connection; its tokens are refused from the next call on. Members may end their own connections; ending
 * others' requires `oauthClient.manage`.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function revokeClient(context: Context, input: { workspaceId: string; grantId: string }): Promise<void> {
  const { workspaceId, grantId } = input;
  const { actor } = context;
  await authorize(context, workspaceId, "workspace.read");
  const connection = await findConnection(context.db, workspaceId, grantId);
  const isOwn = actor.kind === "user" && connection?.userId === actor.userId;
  if (!isOwn) await authorize(context, workspaceId, "oauthClient.manage");
  if (!connection) throw new AppError("not_found", { message: "There is no such connected client" });
  await context.db.transaction((tx) => revoke({ ...context, db: tx }, workspaceId, connection));
}

/**
 * Ends all of the actor's connections to a workspace, or with `isAll` everyone's, which requires `oauthClient.manage`.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function revokeAllClients(
  context: Context,
  input: { workspaceId: string; isAll: boolean },
): Promise<{ revoked: number }> {
  const { workspaceId } = input;
  const userId = await requireOwnOrAll(context, workspaceId, input.isAll);
  return await context.db.transaction(async (tx) => {
    const connections = await listConnections(tx, workspaceId, userId);
    for (const connection of connections) await revoke({ ...context, db: tx }, workspaceId, connection);
    return { revoked: connections.length };
  });
}
