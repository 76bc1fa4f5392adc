import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "./authorize";
import { permissionToGive } from "./invitation-link";
import { deleteInvitation } from "./queries-invitations";
import { requireId } from "./require";

const UNKNOWN = "There is no such invitation";

/**
 * Revokes an invitation. Its link stops working at once.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function revokeInvitation(context: Context, input: { workspaceId: string; invitationId: string }) {
  const { workspaceId } = input;
  await authorize(context, workspaceId, "member.manage");
  const invitationId = requireId("invitation", input.invitationId, UNKNOWN);
  return await context.db.transaction(async (tx) => {
    const deleted = await deleteInvitation(tx, workspaceId, invitationId);
    if (!deleted) throw new AppError("not_found", { message: UNKNOWN });
    await authorize({ ...context, db: tx }, workspaceId, permissionToGive(deleted.role));
    await recordAudit(tx, context, {
      workspaceId,
      action: "invitation.revoke",
      target: invitationId,
      detail: { email: deleted.email },
    });
    return { invitationId, email: deleted.email };
  });
}
