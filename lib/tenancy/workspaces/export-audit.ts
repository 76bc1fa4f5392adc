import { type AuditEntry, type AuditFilter, recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { listAudit } from "./list-audit";

const PAGE = 200;

type ExportAudit = { workspaceId?: string | undefined; filter?: AuditFilter | undefined };

/**
 * Pages of all matching entries of an audit log, newest first. The export itself is audited.
 *
 * @throws AppError `not_found`, `forbidden`, before the first page
 */
export async function exportAudit(context: Context, input: ExportAudit): Promise<AsyncGenerator<AuditEntry[]>> {
  const first = await listAudit(context, { ...input, limit: PAGE });
  await recordAudit(context.db, context, {
    workspaceId: input.workspaceId ?? SYSTEM_WORKSPACE_ID,
    action: "export.create",
    target: "audit_log",
  });
  async function* pages() {
    yield first.entries;
    for (let cursor = first.nextCursor; cursor !== undefined;) {
      const page = await listAudit(context, { ...input, cursor, limit: PAGE });
      yield page.entries;
      cursor = page.nextCursor;
    }
  }
  return pages();
}
