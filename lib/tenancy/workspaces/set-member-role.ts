import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "./authorize";
import type { Role } from "./domain/permissions";
import { requireGivable } from "./give-addresses";
import { assertNotLastOwner, lockMember } from "./assert-not-last-owner";
import { updateMember } from "./queries-members";

type SetMemberRole = { workspaceId: string; userId: string; role: Role; canSeeAddresses?: boolean | undefined };

/**
 * Changes a member's role. Access to addresses is reset to the new role's default unless it is given explicitly, so that it
 * is not kept by accident.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict` for the last owner
 */
export async function setMemberRole(context: Context, input: SetMemberRole) {
  const { workspaceId, userId, role } = input;
  const access = await authorize(context, workspaceId, role === "owner" ? "owner.manage" : "member.manage");
  return await context.db.transaction(async (tx) => {
    const before = await lockMember(tx, workspaceId, userId);
    if (before.role === "owner" && role !== "owner") {
      await authorize({ ...context, db: tx }, workspaceId, "owner.manage");
      await assertNotLastOwner(tx, workspaceId);
    }
    const isKept = before.canSeeAddresses && input.canSeeAddresses === true;
    const canSeeAddresses = isKept || requireGivable(access, role, input.canSeeAddresses);
    await updateMember(tx, workspaceId, userId, { role, canSeeAddresses });
    await recordAudit(tx, context, {
      workspaceId,
      action: "member.set_role",
      target: userId,
      detail: { from: before.role, to: role, canSeeAddresses },
    });
    return { workspaceId, userId, role, canSeeAddresses };
  });
}
