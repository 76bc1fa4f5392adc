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

/** Progress through the tables: the share of those before this one, and the rows deleted from this one so far. */
export type DeletionProgress = { table: string; share: number; rows: number; isDone: boolean };

/**
 * Deletes every row of a workspace except the workspace itself and its audit log, in short statements, and returns the
 * number deleted. Rows stored meanwhile may remain, so callers repeat it until it returns 0.
 *
 * @param workspaceId as a UUID
 */
export async function deleteWorkspaceRows(
  db: Db,
  workspaceId: string,
  onProgress: (progress: DeletionProgress) => void = () => undefined,
): Promise<number> {
  const workspace: SQL = sql`${workspaceId}::uuid`;
  let deleted = 0;
  const tables = tablesOfWorkspaces();
  for (const [index, table] of tables.entries()) {
    const tell = (rows: number, isDone: boolean) => {
      onProgress({ table: getTableName(table), share: index / tables.length, rows, isDone });
    };
    const rows = await deleteOfWorkspace(db, table, workspace, (soFar) => {
      tell(soFar, false);
    });
    tell(rows, true);
    deleted += rows;
  }
  return deleted;
}
