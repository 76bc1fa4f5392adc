import type postgres from "postgres";

import { classOf, DISTRIBUTION_COLUMN, type TableClass } from "./table-classes";

export type Sql = postgres.Sql | postgres.TransactionSql;

/** A table that is not yet placed according to its class. */
export type Placement = { table: string; kind: Exclude<TableClass, "instance">; bytes: number };

type ForeignKey = { name: string; table: string; target: string; definition: string };

/** Whether the server has the Citus extension. */
export const hasCitus = async (sql: Sql): Promise<boolean> =>
  (await sql`select 1 from pg_extension where extname = 'citus'`).length > 0;

/** Whether tables are distributed. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  return (
    (await hasCitus(sql)) && (await sql`select 1 from pg_dist_partition where partmethod = 'h' limit 1`).length > 0
  );
}

/** Tables that are not placed according to their class, largest first. */
export async function listUnplaced(sql: Sql): Promise<Placement[]> {
  const rows = await sql<{ table: string; bytes: number }[]>`
    select c.relname as table, (pg_total_relation_size(c.oid) + (
      select coalesce(sum(pg_total_relation_size(i.inhrelid)), 0) from pg_inherits i where i.inhparent = c.oid))::float8 as bytes
    from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (p.partmethod = 'h' or p.repmodel = 't') is not true
    order by 2 desc, c.relname`;
  return rows.flatMap(({ table, bytes }) => {
    const kind = classOf(table);
    return kind === undefined || kind === "instance" ? [] : [{ table, kind, bytes }];
  });
}

const listForeignKeys = (sql: Sql) => sql<ForeignKey[]>`
  select conname as name, conrelid::regclass::text as table, confrelid::regclass::text as target,
    pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`;

/**
 * Sets the replica identity. Logical replication, which moves shards, must identify each row: by primary key, or by all
 * columns.
 */
async function identifyRows(tx: Sql, table: string): Promise<void> {
  const [key] = await tx`select 1 from pg_index where indrelid = ${table}::regclass and indisprimary`;
  if (!key) await tx.unsafe(`alter table ${table} replica identity full`);
}

/** Colocates a table with those already distributed; the first table gets new shards. */
async function distributeTable(tx: Sql, table: string, shards: number): Promise<void> {
  await identifyRows(tx, table);
  const [colocated] = await tx<{ name: string }[]>`
    select logicalrelid::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where partmethod = 'h' and not c.relispartition order by 1 limit 1`;
  if (colocated)
    await tx`
      select create_distributed_table(${table}::regclass, ${DISTRIBUTION_COLUMN}, colocate_with => ${colocated.name})`;
  else
    await tx`
      select create_distributed_table(${table}::regclass, ${DISTRIBUTION_COLUMN}, colocate_with => 'none',
        shard_count => ${shards}::int)`;
}

type Options = { shards: number; onPlace?: (placement: Placement, index: number) => void };

/**
 * Places tables within a transaction. Tables without foreign keys, which contain nearly all the data, go first; until
 * the others are processed, delivered Reports remain readable.
 */
export async function placeTables(
  tx: postgres.TransactionSql,
  unplaced: readonly Placement[],
  { shards, onPlace }: Options,
): Promise<void> {
  // Otherwise foreign keys between two tables created in this transaction are rejected.
  await tx`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`;
  const keys = await listForeignKeys(tx);
  const isBound = ({ table }: Placement) => keys.some((key) => key.table === table || key.target === table);
  const free = unplaced.filter((each) => !isBound(each));
  const bound = unplaced.filter(isBound).sort((a, b) => Number(b.kind === "lookup") - Number(a.kind === "lookup"));
  const names = new Set(bound.map(({ table }) => table));
  const removed = keys.filter(({ table, target }) => names.has(table) || names.has(target));
  for (const [index, placement] of [...free, ...bound].entries()) {
    if (index === free.length)
      for (const { table, name } of removed) await tx.unsafe(`alter table ${table} drop constraint "${name}"`);
    onPlace?.(placement, index);
    if (placement.kind === "lookup") await tx`select create_reference_table(${placement.table}::regclass)`;
    else await distributeTable(tx, placement.table, shards);
  }
  for (const { table, name, definition } of removed)
    await tx.unsafe(`alter table ${table} add constraint "${name}" ${definition}`);
}

/** Frees the space of rows that were copied to shards: hidden copies remain in the coordinator's local tables. */
export async function removeFormerRows(sql: Sql): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where (p.partmethod = 'h' or p.repmodel = 't') and c.relkind = 'r' and pg_relation_size(c.oid) > 0
    order by (p.repmodel = 't')`;
  for (const { name } of rows) await sql`select truncate_local_data_after_distributing_table(${name}::regclass)`;
}
