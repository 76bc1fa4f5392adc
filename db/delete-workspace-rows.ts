import { getTableColumns, getTableName, is, type SQL, sql } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";

import { deleteOfWorkspace } from "./batches";
import type { Db } from "./client";
import * as schema from "./schema";

/** The workspace row is deleted last; the audit log is kept permanently. */
const KEPT = new Set<string>([getTableName(schema.workspaces), getTableName(schema.auditLog)]);

/** Every table with workspace rows, each before the tables it references. */
function tablesOfWorkspaces(): PgTable[] {
  const tables = Object.values(schema).flatMap((value): PgTable[] =>
    is(value, PgTable) && "workspaceId" in getTableColumns(value) ? [value] : [],
  );
  const sorted: PgTable[] = [];
  const place = (table: PgTable) => {
    if (sorted.includes(table)) return;
    for (const other of tables) {
      const refers = getTableConfig(other).foreignKeys.some((key) => key.reference().foreignTable === table);
      if (refers && other !== table) place(other);
    }
    sorted.push(table);
  };
  tables.forEach(place);
  return sorted.filter((table) => !KEPT.has(getTableName(table)));
}

/**
 * Deletes every row of a workspace except the workspace itself and its audit log, in short statements, and returns the
 * number deleted. Rows stored meanwhile may remain, so callers repeat it until it returns 0.
 *
 * @param workspaceId as a UUID
 */
export async function deleteWorkspaceRows(db: Db, workspaceId: string): Promise<number> {
  const workspace: SQL = sql`${workspaceId}::uuid`;
  let deleted = 0;
  for (const table of tablesOfWorkspaces()) deleted += await deleteOfWorkspace(db, table, workspace);
  return deleted;
}
