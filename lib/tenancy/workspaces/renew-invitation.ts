import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "./authorize";
import { requireGivable } from "./give-addresses";
import { INVITATION_DAYS, inviterOf, mailInvitation, newInvitationLink, permissionToGive } from "./invitation-link";
import { findInvitation, updateInvitationLink } from "./queries-invitations";
import { requireId } from "./require";

const UNKNOWN = "There is no such invitation";

/**
 * Replaces the link of an invitation, even an expired one.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function renewInvitation(context: Context, input: { workspaceId: string; invitationId: string }) {
  const { workspaceId } = input;
  await authorize(context, workspaceId, "member.manage");
  const invitationId = requireId("invitation", input.invitationId, UNKNOWN);
  const { url, tokenHash } = newInvitationLink();
  const renewed = await context.db.transaction(async (tx) => {
    const before = await findInvitation(tx, workspaceId, invitationId);
    if (!before) throw new AppError("not_found", { message: UNKNOWN });
    const access = await authorize({ ...context, db: tx }, workspaceId, permissionToGive(before.role));
    requireGivable(access, before.role, before.canSeeAddresses);
    const link = { invitationId, tokenHash, invitedBy: inviterOf(context.actor), days: INVITATION_DAYS };
    const stored = await updateInvitationLink(tx, workspaceId, link);
    if (!stored) throw new AppError("not_found", { message: UNKNOWN });
    const { email, expiresAt } = stored;
    await recordAudit(tx, context, {
      workspaceId,
      action: "invitation.renew",
      target: invitationId,
      detail: { email },
    });
    return { email, expiresAt };
  });
  return { invitationId, ...renewed, url, isMailed: await mailInvitation({ email: renewed.email, url }) };
}
