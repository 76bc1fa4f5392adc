import { AppError } from "@/lib/contract/errors";
import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize, isMember } from "@/lib/tenancy/workspaces";
import { recordEntries } from "./entry";
import { lockCase } from "./lock-case";
import { updateCase } from "./queries";

/**
 * Assigns a case to a member, or unassigns it.
 *
 * @param input.assigneeId user id; empty to unassign
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function assignCase(context: Context, input: { workspaceId: string; caseId: string; assigneeId: string }) {
  const { workspaceId, caseId, assigneeId } = input;
  await authorize(context, workspaceId, "case.write");
  await context.db.transaction(async (tx) => {
    const { assigneeId: former } = await lockCase(tx, input);
    if (assigneeId !== "" && !(await isMember(tx, workspaceId, assigneeId)))
      throw new AppError("invalid_request", { message: "The assignee must be a member of this workspace" });
    if (former === assigneeId) return;
    await updateCase(tx, workspaceId, caseId, { assigneeId });
    await recordEntries(tx, context, input, [{ kind: "assigned", text: assigneeId, former }]);
    await recordAudit(tx, context, {
      workspaceId,
      action: "case.assign",
      target: caseId,
      detail: { from: former, to: assigneeId },
    });
  });
  return { caseId, assigneeId };
}
