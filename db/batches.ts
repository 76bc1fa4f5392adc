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
