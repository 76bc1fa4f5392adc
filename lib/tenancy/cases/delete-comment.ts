import { AppError } from "@/lib/contract/errors";
import { actorId, recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize, requireId } from "@/lib/tenancy/workspaces";
import { lockCase } from "./lock-case";
import { updateCase } from "./queries";
import { findComment, removeEntry } from "./queries-items";

const UNKNOWN = "There is no such comment";

/**
 * Permanently deletes a comment: one's own, or anyone's with the permission `case.delete`.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteComment(context: Context, input: { workspaceId: string; caseId: string; entryId: string }) {
  const { workspaceId, caseId } = input;
  const { actor } = context;
  await authorize(context, workspaceId, "case.write");
  const entryId = requireId("caseEntry", input.entryId, UNKNOWN);
  await context.db.transaction(async (tx) => {
    await lockCase(tx, input);
    const comment = await findComment(tx, { workspaceId, caseId, entryId });
    if (!comment) throw new AppError("not_found", { message: UNKNOWN });
    const isOwn = actor.kind === "user" && comment.actorId === actorId(actor);
    if (!isOwn) await authorize({ db: tx, actor }, workspaceId, "case.delete");
    await removeEntry(tx, { workspaceId, caseId, entryId });
    await updateCase(tx, workspaceId, caseId);
    await recordAudit(tx, context, { workspaceId, action: "case.delete_comment", target: caseId });
  });
  return { caseId };
}
