import type { Context } from "@/lib/platform/context";
import { authorize } from "./authorize";
import { listMembersOfWorkspace } from "./queries-members";

/**
 * The members of a workspace, in the order in which they joined.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listMembers(context: Context, input: { workspaceId: string }) {
  await authorize(context, input.workspaceId, "member.read");
  return await listMembersOfWorkspace(context.db, input.workspaceId);
}
