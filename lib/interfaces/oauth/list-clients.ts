import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "@/lib/tenancy/workspaces";
import { listConnections } from "./queries";

/**
 * Lists the clients connected to a workspace, newest first: the actor's own, or with `isAll` everyone's, which requires
 * `oauthClient.manage`.
 *
 * @throws AppError not_found, forbidden
 */
export async function listClients(context: Context, input: { workspaceId: string; isAll: boolean }) {
  const { workspaceId } = input;
  await authorize(context, workspaceId, input.isAll ? "oauthClient.manage" : "workspace.read");
  if (input.isAll) return await listConnections(context.db, workspaceId);
  if (context.actor.kind !== "user")
    throw new AppError("forbidden", { message: "Only a person has their own clients" });
  return await listConnections(context.db, workspaceId, context.actor.userId);
}
