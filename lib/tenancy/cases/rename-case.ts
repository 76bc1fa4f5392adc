import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize, requireName } from "@/lib/tenancy/workspaces";
import { recordEntries } from "./entry";
import { lockCase } from "./lock-case";
import { updateCase } from "./queries";

/**
 * Renames a case. The name is not written to the audit log, since it may contain personal data.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function renameCase(context: Context, input: { workspaceId: string; caseId: string; name: string }) {
  const { workspaceId, caseId } = input;
  await authorize(context, workspaceId, "case.write");
  const name = requireName(input.name);
  await context.db.transaction(async (tx) => {
    const { name: former } = await lockCase(tx, input);
    if (former === name) return;
    await updateCase(tx, workspaceId, caseId, { name });
    await recordEntries(tx, context, input, [{ kind: "renamed", text: name, former }]);
    await recordAudit(tx, context, { workspaceId, action: "case.rename", target: caseId });
  });
  return { caseId, name };
}
