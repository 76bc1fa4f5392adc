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
