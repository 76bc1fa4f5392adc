import { and, desc, eq, gte, lt, or, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { auditLog } from "@/db/schema";
import type { Position } from "@/lib/platform/cursor";
import { behind, positionColumns } from "@/lib/platform/queries-cursor";
import type { AuditFilter } from "./domain/filter";

export async function insertAuditEntry(db: Db, entry: Omit<typeof auditLog.$inferInsert, "at">): Promise<void> {
  // Not now(), which is the same for all entries of a transaction: their order would be lost.
  await db.insert(auditLog).values({ ...entry, at: sql`statement_timestamp()` });
}

const matches = ({ action, actor, target, from, to }: AuditFilter) =>
  and(
    action === undefined
      ? undefined
      : or(eq(auditLog.action, action), eq(sql`split_part(${auditLog.action}, '.', 1)`, action)),
    actor === undefined ? undefined : or(eq(auditLog.actorId, actor), eq(auditLog.actorKind, actor)),
    target === undefined ? undefined : eq(auditLog.target, target),
    from === undefined ? undefined : gte(auditLog.at, from),
    to === undefined ? undefined : lt(auditLog.at, to),
  );

/** Entries of a workspace before `position`, newest first. */
export function listAuditEntries(
  db: Db,
  workspaceId: string,
  page: { position: Position | undefined; limit: number; filter: AuditFilter },
) {
  const before = behind(auditLog.at, auditLog.auditId, page.position);
  return db
    .select({
      position: positionColumns(auditLog.at, auditLog.auditId),
      entry: {
        auditId: auditLog.auditId,
        at: auditLog.at,
        actorKind: auditLog.actorKind,
        actorId: auditLog.actorId,
        credential: auditLog.credential,
        address: auditLog.address,
        action: auditLog.action,
        target: auditLog.target,
        requestId: auditLog.requestId,
        detail: auditLog.detail,
      },
    })
    .from(auditLog)
    .where(and(eq(auditLog.workspaceId, workspaceId), matches(page.filter), before))
    .orderBy(desc(auditLog.at), desc(auditLog.auditId))
    .limit(page.limit);
}
