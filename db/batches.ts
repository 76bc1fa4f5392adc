import { getTableName, type SQL, sql } from "drizzle-orm";
import type { PgInsertValue, PgTable } from "drizzle-orm/pg-core";

import type { Db } from "./client";

/** Rows of one statement: well below the most parameters that one may have, and short enough for its deadline. */
const ROWS_AT_ONCE = 250;

/** Inserts many rows in statements of a bounded size, one after the other. A row that is there already stays. */
export async function insertMissing<Table extends PgTable>(
  db: Db,
  table: Table,
  rows: readonly PgInsertValue<Table>[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await db
      .insert(table)
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflictDoNothing();
}

/**
 * Repeats work that changes up to `limit` rows at a time until it changes fewer or is stopped, in short statements that
 * nothing waits for long; the number of rows changed.
 */
export async function inBatches(
  limit: number,
  work: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let changed = limit; changed === limit && !signal?.aborted; total += changed) changed = await work(limit);
  return total;
}

/** Pages that one statement reads: some ten thousand rows. */
const PAGES_AT_ONCE = 200;

/**
 * Deletes the rows of a table for which `isOver` holds, from its first page to its last: each statement is short however
 * large the table is and however many of its rows are due, and no index is kept for them. A row that is changed meanwhile
 * stays when `isOver` no longer holds; the number deleted.
 */
export async function deleteByPages(db: Db, table: PgTable, isOver: SQL, signal?: AbortSignal): Promise<number> {
  const [size] = await db.execute<{ pages: number }>(sql`
    select (pg_relation_size(${getTableName(table)}::regclass) / current_setting('block_size')::int)::int as pages`);
  let total = 0;
  for (let from = 0; from < (size?.pages ?? 0) && !signal?.aborted; from += PAGES_AT_ONCE) {
    const [row] = await db.execute<{ deleted: number }>(sql`
      with gone as (
        delete from ${table}
        where ctid >= ${`(${from},0)`}::tid and ctid < ${`(${from + PAGES_AT_ONCE},0)`}::tid and ${isOver} returning 1)
      select count(*)::int as deleted from gone`);
    total += row?.deleted ?? 0;
  }
  return total;
}
