/**
 * The rows of a query as they came. postgres 3.4.9 goes on counting the rows of a connection where the query before had
 * answered some and then failed, or was cut off: the next result begins with as many holes. Source: porsager/postgres
 * issue 1119.
 */
export function compactRows<T>(rows: T): T {
  if (!Array.isArray(rows) || rows.length === 0 || 0 in rows) return rows;
  rows.splice(
    0,
    rows.findIndex((_, index) => index in rows),
  );
  return rows;
}
