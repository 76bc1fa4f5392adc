import type { Context } from "@/lib/platform/context";
import { listConnections } from "./queries";
import { requireOwnOrAll } from "./require-own-or-all";

/**
 * Lists the clients connected to a workspace, newest first: the actor's own, or with `isAll` everyone's, which requires
 * `oauthClient.manage`.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listClients(context: Context, input: { workspaceId: string; isAll: boolean }) {
  const userId = await requireOwnOrAll(context, input.workspaceId, input.isAll);
  return await listConnections(context.db, input.workspaceId, userId);
}
