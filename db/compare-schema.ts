import { getTableName, is, sql } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";

import type { Db } from "./client";
import * as schema from "./schema";

const TABLES: readonly PgTable[] = [
  ...new Map(
    Object.values(schema).flatMap((value) => (is(value, PgTable) ? [[getTableName(value), value] as const] : [])),
  ).values(),
];

/** Column and index names declared in the schema; primary keys and unique constraints also count as indexes. */
function declaredParts(table: PgTable): { columns: string[]; indexes: string[]; hasPrimaryKey: boolean } {
  const { columns, indexes, primaryKeys, uniqueConstraints } = getTableConfig(table);
  return {
    columns: columns.map(({ name }) => name),
    indexes: [
      ...indexes.flatMap(({ config }) => (config.name === undefined ? [] : [config.name])),
      ...uniqueConstraints.flatMap(({ name }) => (name === undefined ? [] : [name])),
    ],
    hasPrimaryKey: primaryKeys.length > 0 || columns.some(({ primary }) => primary),
  };
}

/** Lists are space-separated strings, because the driver does not parse arrays. */
type Found = { name: string; columns: string; indexes: string; invalid: string; has_primary_key: boolean };

/** Describes which tables, columns and valid indexes of this version's schema are missing from the database. */
export async function listSchemaFaults(db: Db): Promise<string[]> {
  const rows = await db.execute<Found>(sql`
    select c.relname as name,
      (select string_agg(a.attname, ' ') from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      coalesce(string_agg(i.relname, ' ') filter (where x.indisvalid), '') as indexes,
      coalesce(string_agg(i.relname, ' ') filter (where not x.indisvalid), '') as invalid,
      coalesce(bool_or(x.indisprimary and x.indisvalid), false) as has_primary_key
    from pg_class c left join pg_index x on x.indrelid = c.oid left join pg_class i on i.oid = x.indexrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    group by c.oid, c.relname`);
  const byName = new Map(rows.map((row) => [row.name, row]));
  return TABLES.flatMap((table) => {
    const name = getTableName(table);
    const found = byName.get(name);
    if (!found) return [`the table ${name} is missing`];
    const { columns, indexes, hasPrimaryKey } = declaredParts(table);
    const [present, usable, invalid] = [found.columns, found.indexes, found.invalid].map(
      (list) => new Set(list.split(" ")),
    );
    const lacks = (index: string) => (invalid?.has(index) ? "is not valid" : "is missing");
    return [
      ...columns.filter((column) => !present?.has(column)).map((column) => `${name}.${column} is missing`),
      ...indexes.filter((index) => !usable?.has(index)).map((index) => `the index ${index} ${lacks(index)}`),
      ...(hasPrimaryKey && !found.has_primary_key ? [`the primary key of ${name} is missing`] : []),
    ];
  });
}
