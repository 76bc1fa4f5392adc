import type { Context } from "@/lib/platform/context";
import { authorize } from "./authorize";
import { listPendingInvitations } from "./queries-invitations";

/**
 * Pending invitations, oldest first.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listInvitations(context: Context, input: { workspaceId: string }) {
  await authorize(context, input.workspaceId, "member.manage");
  return await listPendingInvitations(context.db, input.workspaceId);
}
