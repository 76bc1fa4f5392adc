import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { authorize } from "./authorize";
import type { Role } from "./domain/permissions";
import { requireGivable } from "./give-addresses";
import { endUnprovenSessions, ensureUser, insertMember } from "./queries-members";
import { requireEmail } from "./require";

type AddMember = { workspaceId: string; email: string; role: Role; canSeeAddresses?: boolean | undefined };

/**
 * Makes a person a member. A new e-mail address becomes a user, who can then request a sign-in link.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `conflict`
 */
export async function addMember(context: Context, input: AddMember) {
  const { workspaceId, role } = input;
  const access = await authorize(context, workspaceId, role === "owner" ? "owner.manage" : "member.manage");
  const email = requireEmail(input.email);
  const canSeeAddresses = requireGivable(access, role, input.canSeeAddresses);
  return await context.db.transaction(async (tx) => {
    const userId = await ensureUser(tx, { userId: newId("user"), email });
    if (!(await insertMember(tx, { workspaceId, userId, role, canSeeAddresses }))) {
      throw new AppError("conflict", { message: "That person is already a member; change the role instead" });
    }
    await endUnprovenSessions(tx, userId);
    await recordAudit(tx, context, {
      workspaceId,
      action: "member.add",
      target: userId,
      detail: { email, role, canSeeAddresses },
    });
    return { workspaceId, userId, email, role, canSeeAddresses };
  });
}
