import type { Db } from "@/db/client";
import { decodeCursor, encodeCursor } from "@/lib/platform/cursor";
import { AppError } from "@/lib/contract/errors";
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
  const position = cursor === undefined ? undefined : decodeCursor("audit", cursor);
  if (cursor !== undefined && !position)
    throw new AppError("invalid_request", { message: "The cursor does not belong to this log" });
  const size = Math.min(Math.max(1, Math.trunc(limit)), MAX_PAGE);
  const rows = await listAuditEntries(db, workspaceId, { position, limit: size + 1, filter });
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return {
    entries: shown.map(({ entry }) => entry),
    nextCursor: rows.length > size && last ? encodeCursor(last.position) : undefined,
  };
}
