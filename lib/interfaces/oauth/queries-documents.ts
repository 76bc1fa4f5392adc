import { and, desc, eq, isNotNull, ne, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { clientDocuments, oauthConnections } from "@/db/schema";

/** Client id of the row that records whether documents can be reached. */
const REACH = "";
const now = sql`clock_timestamp()`;

/** The client whose document could not be reached, unless one has been reached since. */
export async function findUnreached(db: Db): Promise<string | undefined> {
  const [row] = await db
    .select({ clientId: clientDocuments.failedClientId })
    .from(clientDocuments)
    .where(and(eq(clientDocuments.clientId, REACH), isNotNull(clientDocuments.failedAt)));
  return row?.clientId ?? undefined;
}

/** A client's document, and whether it was ever read; otherwise it is assumed. */
export async function findDocument(
  db: Db,
  clientId: string,
): Promise<{ document: string; isRead: boolean } | undefined> {
  const [row] = await db
    .select({ document: clientDocuments.document, readAt: clientDocuments.readAt })
    .from(clientDocuments)
    .where(and(eq(clientDocuments.clientId, clientId), ne(clientDocuments.clientId, REACH)));
  return row && { document: row.document, isRead: row.readAt !== null };
}

/** Stores an assumed document, unless a real one was read. */
export async function saveAssumed(db: Db, clientId: string, document: string): Promise<void> {
  await db
    .insert(clientDocuments)
    .values({ clientId, document, failedAt: now })
    .onConflictDoUpdate({
      target: clientDocuments.clientId,
      set: { document, failedAt: now },
      setWhere: sql`${clientDocuments.readAt} is null`,
    });
}

/** Stores a document that was read, which shows that documents can be reached. */
export async function saveDocument(db: Db, clientId: string, document: string): Promise<void> {
  await db
    .insert(clientDocuments)
    .values({ clientId, document, readAt: now })
    .onConflictDoUpdate({ target: clientDocuments.clientId, set: { document, readAt: now, failedAt: null } });
  await saveReached(db);
}

/** Records that documents can be reached. */
export async function saveReached(db: Db): Promise<void> {
  await db
    .insert(clientDocuments)
    .values({ clientId: REACH, document: "", readAt: now })
    .onConflictDoUpdate({
      target: clientDocuments.clientId,
      set: { readAt: now, failedAt: null, failedClientId: null },
    });
}

/**
 * Records that a document could not be reached. If another was reached within `graceMinutes`, only this document's host
 * is at fault and nothing changes.
 */
export async function saveUnreached(db: Db, clientId: string, graceMinutes: number): Promise<void> {
  await db
    .insert(clientDocuments)
    .values({ clientId: REACH, document: "", failedAt: now, failedClientId: clientId })
    .onConflictDoUpdate({
      target: clientDocuments.clientId,
      set: { failedAt: now, failedClientId: clientId },
      setWhere: sql`${clientDocuments.readAt} is null
        or ${clientDocuments.readAt} < clock_timestamp() - make_interval(mins => ${graceMinutes})`,
    });
}

/** Lists the clients whose documents were read most recently. */
export async function listDocuments(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .select({ clientId: clientDocuments.clientId })
    .from(clientDocuments)
    .where(and(ne(clientDocuments.clientId, REACH), isNotNull(clientDocuments.readAt)))
    .orderBy(desc(clientDocuments.readAt))
    .limit(limit);
  return rows.map(({ clientId }) => clientId);
}

/**
 * Deletes documents that were read or assumed more than `days` ago and whose client has no connection; returns how
 * many.
 */
export async function deleteUnusedDocuments(db: Db, days: number, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    delete from ${clientDocuments} where client_id = any (array(
      select d.client_id from ${clientDocuments} d
      where d.client_id <> ${REACH} and coalesce(d.read_at, d.failed_at) < clock_timestamp() - make_interval(days => ${days})
        and not exists (select 1 from ${oauthConnections} c where c.client_id = d.client_id)
      limit ${limit}))
    returning 1`);
  return rows.length;
}
