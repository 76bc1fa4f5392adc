import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { authorize } from "./authorize";
import type { Role } from "./domain/permissions";
import { requireGivable } from "./give-addresses";
import { INVITATION_DAYS, inviterOf, mailInvitation, newInvitationLink, permissionToGive } from "./invitation-link";
import { insertInvitation } from "./queries-invitations";
import { findMemberByEmail } from "./queries-members";
import { requireEmail } from "./require";

type InviteMember = { workspaceId: string; email: string; role: Role; canSeeAddresses?: boolean | undefined };

/**
 * Invites an e-mail address to a workspace. The link is returned only here and works once; it is also mailed if a mail
 * server is configured.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `conflict` for a member or an already invited address
 */
export async function inviteMember(context: Context, input: InviteMember) {
  const { workspaceId, role } = input;
  const access = await authorize(context, workspaceId, permissionToGive(role));
  const email = requireEmail(input.email);
  const canSeeAddresses = requireGivable(access, role, input.canSeeAddresses);
  const { url, tokenHash } = newInvitationLink();
  const invitation = { workspaceId, invitationId: newId("invitation"), email, role, canSeeAddresses };
  const expiresAt = await context.db.transaction(async (tx) => {
    if (await findMemberByEmail(tx, workspaceId, email)) {
      throw new AppError("conflict", { message: "That person is already a member; change the role instead" });
    }
    const ends = await insertInvitation(tx, {
      ...invitation,
      tokenHash,
      invitedBy: inviterOf(context.actor),
      days: INVITATION_DAYS,
    });
    if (!ends) throw new AppError("conflict", { message: "That address is already invited; renew its link instead" });
    await recordAudit(tx, context, {
      workspaceId,
      action: "member.invite",
      target: invitation.invitationId,
      detail: { email, role, canSeeAddresses },
    });
    return ends;
  });
  return { ...invitation, url, expiresAt, isMailed: await mailInvitation({ email, url }) };
}
