/**
 * Removes leading holes from a result. After a query that failed or was cancelled with some rows received, postgres
 * 3.4.9 does not reset its row count, so the next result on the connection starts with that many holes. Source:
 * porsager/postgres issue 1119.
 */
export function compactRows<T>(rows: T): T {
  if (!Array.isArray(rows) || rows.length === 0 || 0 in rows) return rows;
  rows.splice(
    0,
    rows.findIndex((_, index) => index in rows),
  );
  return rows;
}
