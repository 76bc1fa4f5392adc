import { and, desc, eq, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { auditLog } from "@/db/schema";
import type { AuditPosition } from "./domain/cursor";

export async function insertAuditEntry(db: Db, entry: Omit<typeof auditLog.$inferInsert, "at">): Promise<void> {
  // Not the time of the transaction: its entries keep the order in which they were made.
  await db.insert(auditLog).values({ ...entry, at: sql`clock_timestamp()` });
}

/** Entries of a workspace, newest first, that lie before `position`. */
export function listAuditEntries(
  db: Db,
  workspaceId: string,
  page: { position: AuditPosition | undefined; limit: number },
) {
  const before = page.position
    ? sql`(${auditLog.at}, ${auditLog.auditId}) < (${page.position.at}::timestamptz, ${sql.param(page.position.auditId, auditLog.auditId)}::uuid)`
    : undefined;
  return db
    .select({
      position: { at: sql<string>`${auditLog.at}::text`, auditId: auditLog.auditId },
      entry: {
        auditId: auditLog.auditId,
        at: auditLog.at,
        actorKind: auditLog.actorKind,
        actorId: auditLog.actorId,
        action: auditLog.action,
        target: auditLog.target,
        requestId: auditLog.requestId,
        detail: auditLog.detail,
      },
    })
    .from(auditLog)
    .where(and(eq(auditLog.workspaceId, workspaceId), before))
    .orderBy(desc(auditLog.at), desc(auditLog.auditId))
    .limit(page.limit);
}
