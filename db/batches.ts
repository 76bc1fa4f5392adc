/** Rows of one statement: well below the most parameters that one may have, and short enough for its deadline. */
const ROWS_AT_ONCE = 250;

/** Inserts many rows in statements of a bounded size, one after the other. */
export async function inBatches<Row>(
  rows: readonly Row[],
  insert: (batch: Row[]) => PromiseLike<unknown>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) await insert(rows.slice(from, from + ROWS_AT_ONCE));
}
