import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import type { CaseStatus } from "./domain/case";
import { recordEntries } from "./entry";
import { lockCase } from "./lock-case";
import { updateCase } from "./queries";

/**
 * Sets the status of a case. Closed cases can be reopened.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function setCaseStatus(
  context: Context,
  input: { workspaceId: string; caseId: string; status: CaseStatus },
) {
  const { workspaceId, caseId, status } = input;
  await authorize(context, workspaceId, "case.write");
  await context.db.transaction(async (tx) => {
    const { status: former } = await lockCase(tx, input);
    if (former === status) return;
    await updateCase(tx, workspaceId, caseId, { status });
    await recordEntries(tx, context, input, [{ kind: "status", text: status, former }]);
    await recordAudit(tx, context, {
      workspaceId,
      action: "case.set_status",
      target: caseId,
      detail: { from: former, to: status },
    });
  });
  return { caseId, status };
}
