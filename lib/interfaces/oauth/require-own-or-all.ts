import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "@/lib/tenancy/workspaces";

/**
 * The user whose clients are meant: the actor, or with `isAll` undefined for everyone, which requires
 * `oauthClient.manage`.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function requireOwnOrAll(
  context: Context,
  workspaceId: string,
  isAll: boolean,
): Promise<string | undefined> {
  await authorize(context, workspaceId, isAll ? "oauthClient.manage" : "workspace.read");
  if (isAll) return undefined;
  if (context.actor.kind !== "user")
    throw new AppError("forbidden", { message: "Only a person has their own clients" });
  return context.actor.userId;
}
