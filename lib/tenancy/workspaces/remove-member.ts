import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "./authorize";
import { assertNotLastOwner, lockMember } from "./assert-not-last-owner";
import { deleteMember } from "./queries-members";

/**
 * Removes a member. Members may leave by themselves; removing others requires `member.manage`.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict` for the last owner
 */
export async function removeMember(context: Context, input: { workspaceId: string; userId: string }) {
  const { workspaceId, userId } = input;
  const isLeaving = context.actor.kind === "user" && context.actor.userId === userId;
  await authorize(context, workspaceId, isLeaving ? "workspace.read" : "member.manage");
  await context.db.transaction(async (tx) => {
    const before = await lockMember(tx, workspaceId, userId);
    if (before.role === "owner") {
      if (!isLeaving) await authorize({ ...context, db: tx }, workspaceId, "owner.manage");
      await assertNotLastOwner(tx, workspaceId);
    }
    await deleteMember(tx, workspaceId, userId);
    await recordAudit(tx, context, {
      workspaceId,
      action: "member.remove",
      target: userId,
      detail: { role: before.role },
    });
  });
}
