import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { recordEntries } from "./entry";
import { lockCase } from "./lock-case";

/**
 * Records in a case and in the audit log that its evidence was exported, and in which format.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function recordCaseExport(
  context: Context,
  input: { workspaceId: string; caseId: string; format: string },
): Promise<void> {
  const { workspaceId, caseId, format } = input;
  await authorize(context, workspaceId, "evidence.export");
  await context.db.transaction(async (tx) => {
    await lockCase(tx, input);
    await recordEntries(tx, context, input, [{ kind: "exported", text: format }]);
    await recordAudit(tx, context, { workspaceId, action: "case.export", target: caseId, detail: { format } });
  });
}
