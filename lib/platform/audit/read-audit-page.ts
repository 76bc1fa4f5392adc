import type { Db } from "@/db/client";
import { pageOf, pageSize, requirePosition } from "@/lib/platform/cursor";
import type { AuditFilter } from "./domain/filter";
import { listAuditEntries } from "./queries";

const MAX_PAGE = 200;

export type AuditEntry = {
  auditId: string;
  at: Date;
  actorKind: string;
  actorId: string;
  /** Session id of a user; empty for other actors. */
  credential: string;
  address: string | null;
  action: string;
  target: string;
  requestId: string | null;
  detail: Record<string, unknown>;
};

export type AuditQuery = {
  cursor?: string | undefined;
  limit?: number | undefined;
  filter?: AuditFilter | undefined;
};

export type AuditPage = { entries: AuditEntry[]; nextCursor: string | undefined };

/**
 * One page of a workspace's audit log, newest first. The caller must have checked the permission.
 *
 * @throws AppError `invalid_request` for an invalid cursor
 */
export async function readAuditPage(
  db: Db,
  workspaceId: string,
  { cursor, limit = 50, filter = {} }: AuditQuery = {},
): Promise<AuditPage> {
  const position = requirePosition("audit", cursor, "log");
  const size = pageSize(limit, MAX_PAGE);
  const rows = await listAuditEntries(db, workspaceId, { position, limit: size + 1, filter });
  const { shown, nextCursor } = pageOf(rows, size, (row) => row.position);
  return { entries: shown.map(({ entry }) => entry), nextCursor };
}
