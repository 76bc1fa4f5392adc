import type { Db } from "@/db/client";
import { recordAudit } from "@/lib/platform/audit";
import type { Actor, Context } from "@/lib/platform/context";
import { AppError, isAppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { authorize } from "./authorize";
import type { Role } from "./domain/permissions";
import { requireGivable } from "./give-addresses";
import { invitationHash, permissionToGive } from "./invitation-link";
import { findOpenInvitation, takeInvitation } from "./queries-invitations";
import { ensureUser, findUserByEmail, findUserById, insertMember } from "./queries-members";

const unusable = () =>
  new AppError("auth_failed", {
    message: "This invitation was used, revoked or has expired. Ask the person who invited you for another link",
  });

const notSignedIn = (email: string) =>
  new AppError("forbidden", { message: `Sign in as ${email} first, then open the link again` });

/** The invitation of a link; undefined if the link is not usable. */
export const readInvitation = ({ db }: Pick<Context, "db">, { token }: { token: string }) =>
  findOpenInvitation(db, invitationHash(token));

type Invited = { workspaceId: string; invitedBy: string; role: Role; canSeeAddresses: boolean };

/** An invitation is valid only while its sender may grant the role, so that a removed member cannot let anyone in. */
async function requireInviter(tx: Db, invitation: Invited) {
  if (invitation.invitedBy === "") return;
  const inviter = await findUserById(tx, invitation.invitedBy);
  if (!inviter) throw unusable();
  const actor: Actor = { kind: "user", ...inviter };
  const { workspaceId, role, canSeeAddresses } = invitation;
  try {
    requireGivable(await authorize({ db: tx, actor }, workspaceId, permissionToGive(role)), role, canSeeAddresses);
  } catch (error) {
    throw isAppError(error) ? unusable() : error;
  }
}

type Accept = Omit<Context, "actor"> & { actor: Extract<Actor, { kind: "user" }> | undefined };

/**
 * Makes the invited person a member. A person with a known e-mail address must be signed in: a link must not give access to
 * what they already have. A new address becomes a user, whose session the caller opens.
 *
 * @returns `isNew` if the user was created
 * @throws AppError `auth_failed` for an unusable link, `forbidden` if another person is signed in
 */
export async function acceptInvitation({ actor: signedIn, ...context }: Accept, { token }: { token: string }) {
  return await context.db.transaction(async (tx) => {
    const invitation = await takeInvitation(tx, invitationHash(token));
    if (!invitation) throw unusable();
    const { workspaceId, invitationId, email, role, canSeeAddresses } = invitation;
    await requireInviter(tx, invitation);
    const known = await findUserByEmail(tx, email);
    if (known?.userId !== signedIn?.userId) throw notSignedIn(email);
    const userId = known?.userId ?? newId("user");
    // Another invitation of the same address may have created the user meanwhile: then this link opens no session of it.
    if (!known && (await ensureUser(tx, { userId, email })) !== userId) throw notSignedIn(email);
    await insertMember(tx, { workspaceId, userId, role, canSeeAddresses });
    const actor: Actor = signedIn ?? { kind: "user", userId, email, isOperator: false };
    await recordAudit(
      tx,
      { ...context, actor },
      { workspaceId, action: "member.join", target: userId, detail: { email, role, canSeeAddresses, invitationId } },
    );
    return { workspaceId, userId, email, isNew: known === undefined };
  });
}
