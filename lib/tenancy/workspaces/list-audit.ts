import {
  type AuditEntry,
  type AuditPage,
  type AuditQuery,
  readAuditPage,
  SYSTEM_WORKSPACE_ID,
} from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { authorize } from "./authorize";

type ListAudit = AuditQuery & { workspaceId?: string | undefined };

/** IP addresses are removed for members who may not see them. */
async function authorizeRead(context: Context, workspaceId: string | undefined) {
  if (workspaceId === undefined) {
    requireOperator(context);
    return { workspaceId: SYSTEM_WORKSPACE_ID, shown: (entry: AuditEntry) => entry };
  }
  const { canSeeAddresses } = await authorize(context, workspaceId, "audit.read");
  const shown = (entry: AuditEntry): AuditEntry => (canSeeAddresses ? entry : { ...entry, address: null });
  return { workspaceId, shown };
}

/**
 * The audit log of a workspace, or of the instance if none is given, newest first.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function listAudit(context: Context, { workspaceId: wanted, ...query }: ListAudit): Promise<AuditPage> {
  const { workspaceId, shown } = await authorizeRead(context, wanted);
  const page = await readAuditPage(context.db, workspaceId, query);
  return { ...page, entries: page.entries.map(shown) };
}
