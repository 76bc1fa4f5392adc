import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { lockCase } from "./lock-case";
import { removeCase } from "./queries";

/**
 * Permanently deletes a case with its items, comments and history. The visits, devices and accounts it refers to are not
 * affected.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteCase(context: Context, input: { workspaceId: string; caseId: string }) {
  const { workspaceId, caseId } = input;
  await authorize(context, workspaceId, "case.delete");
  await context.db.transaction(async (tx) => {
    await lockCase(tx, input);
    await removeCase(tx, workspaceId, caseId);
    await recordAudit(tx, context, { workspaceId, action: "case.delete", target: caseId });
  });
  return { caseId };
}
