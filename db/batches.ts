import { type SQL, sql } from "drizzle-orm";
import { getTableConfig, type PgInsertValue, type PgTable } from "drizzle-orm/pg-core";

import type { Db } from "./client";

/**
 * Rows per statement: well below PostgreSQL's parameter limit, and few enough to finish before the statement deadline.
 */
const ROWS_AT_ONCE = 250;

/** Inserts many rows in statements of bounded size, sequentially. Existing rows are kept. */
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
 * Repeats `work`, which changes about `limit` rows per call, until it changes fewer or `signal` aborts. The statements
 * are short, so nothing waits long for their locks. Returns the number of rows changed.
 */
export async function inBatches(
  limit: number,
  work: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let changed = limit; changed >= limit && !signal?.aborted; total += changed) changed = await work(limit);
  return total;
}

/** Rows scanned per statement. */
const ROWS_LOOKED_AT = 5_000;

type KeyColumn = { name: string; type: string };

/** The primary key columns of a table, in order. */
function keyOf(table: PgTable): KeyColumn[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  return key.flatMap(({ name }) => {
    const column = columns.find((each) => each.name === name);
    return column ? [{ name, type: column.getSQLType() }] : [];
  });
}

const names = (columns: readonly KeyColumn[]): SQL =>
  sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );

const tuple = (columns: readonly KeyColumn[], values: readonly string[]): SQL =>
  sql.join(
    columns.map(({ type }, index) => sql`${values[index] ?? null}::${sql.raw(type)}`),
    sql`, `,
  );

/** The next workspace after `last` that has rows in the table. */
async function nextWorkspace(db: Db, table: PgTable, last: string | undefined): Promise<string | undefined> {
  const after = last === undefined ? sql`true` : sql`workspace_id > ${last}::uuid`;
  const [row] = await db.execute<{ workspace_id: string }>(
    sql`select workspace_id from ${table} where ${after} order by workspace_id limit 1`,
  );
  return row?.workspace_id;
}

type Walk = {
  table: PgTable;
  key: readonly KeyColumn[];
  within: SQL;
  isOver: SQL;
  signal?: AbortSignal | undefined;
  /** Called after each statement with the number of rows deleted so far. */
  onDeleted?: ((rows: number) => void) | undefined;
};

/** Deletes the rows of `within` that are over, in key order. */
async function deleteAlongKey(db: Db, { table, key, within, isOver, signal, onDeleted }: Walk): Promise<number> {
  // Without further key columns there is at most one row.
  if (key.length === 0)
    return (await db.execute(sql`delete from ${table} where ${within} and ${isOver} returning 1`)).length;
  let total = 0;
  for (let last: string[] | undefined; !signal?.aborted;) {
    const after = last === undefined ? sql`` : sql` and (${names(key)}) > (${tuple(key, last)})`;
    // Bounds instead of a join with the page: with statistics older than the rows a join would compare each row with
    // each row of the page.
    const [row] = await db.execute<{ looked: number; deleted: number; last: string[] | null }>(sql`
      with page as materialized (
        select ${names(key)} from ${table} where ${within}${after} order by ${names(key)} limit ${ROWS_LOOKED_AT}
      ), bound as materialized (
        select ${names(key)} from page order by ${sql.join(
          key.map(({ name }) => sql`${sql.identifier(name)} desc`),
          sql`, `,
        )} limit 1
      ), gone as (
        delete from ${table} where ${within}${after} and (${names(key)}) <= (select ${names(key)} from bound) and ${isOver}
        returning 1)
      select (select count(*)::int from page) as looked, (select count(*)::int from gone) as deleted,
        (select json_build_array(${sql.join(
          key.map(({ name }) => sql`${sql.identifier(name)}::text`),
          sql`, `,
        )}) from bound) as last`);
    total += row?.deleted ?? 0;
    onDeleted?.(total);
    if (!row?.last || row.looked < ROWS_LOOKED_AT) break;
    ({ last } = row);
  }
  return total;
}

/** Deletes every row of a workspace from a table in short statements, and returns the number deleted. */
export function deleteOfWorkspace(
  db: Db,
  table: PgTable,
  workspaceId: SQL,
  onDeleted?: (rows: number) => void,
): Promise<number> {
  const key = keyOf(table).filter(({ name }) => name !== "workspace_id");
  return deleteAlongKey(db, {
    table,
    key,
    within: sql`workspace_id = ${workspaceId}`,
    isOver: sql`true`,
    onDeleted,
  });
}

/**
 * Deletes the rows of a table for which `isOver` is true, in primary key order and workspace by workspace if the key
 * starts with the workspace. Every statement is short and touches one shard, regardless of the table's size and the
 * number of expired rows, and no extra index is needed. A row that changes meanwhile is kept if `isOver` no longer
 * holds. Returns the number of rows deleted.
 */
export async function deleteByKey(db: Db, table: PgTable, isOver: SQL, signal?: AbortSignal): Promise<number> {
  const [first, ...others] = keyOf(table);
  if (first?.name !== "workspace_id")
    return deleteAlongKey(db, { table, key: keyOf(table), within: sql`true`, isOver, signal });
  let total = 0;
  for (let last: string | undefined; !signal?.aborted;) {
    const workspace = await nextWorkspace(db, table, last);
    if (workspace === undefined) break;
    const within = sql`workspace_id = ${workspace}::uuid`;
    total += await deleteAlongKey(db, { table, key: others, within, isOver, signal });
    last = workspace;
  }
  return total;
}
