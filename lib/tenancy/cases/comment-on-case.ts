import { AppError } from "@/lib/contract/errors";
import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { MAX_COMMENT, parseComment } from "./domain/case";
import { recordEntries } from "./entry";
import { lockCase } from "./lock-case";
import { updateCase } from "./queries";

/**
 * Adds a comment, visible to every member of the workspace. The audit log records the event, not the text.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function commentOnCase(context: Context, input: { workspaceId: string; caseId: string; text: string }) {
  const { workspaceId, caseId } = input;
  await authorize(context, workspaceId, "case.write");
  const text = parseComment(input.text);
  if (text === undefined)
    throw new AppError("invalid_request", { message: `A comment must have 1 to ${MAX_COMMENT} printable characters` });
  await context.db.transaction(async (tx) => {
    await lockCase(tx, input);
    await updateCase(tx, workspaceId, caseId);
    await recordEntries(tx, context, input, [{ kind: "comment", text }]);
    await recordAudit(tx, context, { workspaceId, action: "case.comment", target: caseId });
  });
  return { caseId };
}
