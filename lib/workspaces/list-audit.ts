import { type AuditPage, readAuditPage, SYSTEM_WORKSPACE_ID } from "@/lib/audit";
import type { Context } from "@/lib/context";
import { authorize, requireOperator } from "./authorize";

/**
 * The audit log of a workspace, or of the instance when none is named, newest first.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function listAudit(
  context: Context,
  input: { workspaceId?: string | undefined; cursor?: string | undefined; limit?: number | undefined },
): Promise<AuditPage> {
  if (input.workspaceId === undefined) requireOperator(context);
  else await authorize(context, input.workspaceId, "audit.read");
  return await readAuditPage(context.db, input.workspaceId ?? SYSTEM_WORKSPACE_ID, input);
}
