import postgres from "postgres";

import { CREATE_ROUTED_FUNCTION, DISTRIBUTE_ROUTED_FUNCTION } from "./routed-function";
import { classOf, DISTRIBUTION_COLUMN, type TableClass } from "./table-classes";

type Sql = postgres.Sql | postgres.TransactionSql;

/** A table that has to be moved to where its class belongs. */
export type Move = { table: string; kind: Exclude<TableClass, "instance">; bytes: number };

type ForeignKey = { name: string; table: string; target: string; definition: string };

/** A connection for statements that take as long as they take. */
export const connectForDistribution = (url: string): postgres.Sql =>
  postgres(url, {
    max: 1,
    fetch_types: false,
    prepare: false,
    connect_timeout: 10,
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => undefined,
    connection: { TimeZone: "UTC", application_name: "imprint-distribute" },
  });

/** Whether tables are distributed: the extension is there and has distributed some. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  const [extension] = await sql`select 1 from pg_extension where extname = 'citus'`;
  if (!extension) return false;
  const [table] = await sql`select 1 from pg_dist_partition where partmethod = 'h' limit 1`;
  return table !== undefined;
}

/** Tables whose class asks for another place than where they lie, the largest first. */
export async function listMoves(sql: Sql): Promise<Move[]> {
  const rows = await sql<{ table: string; bytes: number; is_done: boolean }[]>`
    select c.relname as table,
      (select sum(pg_total_relation_size(t.relid))::float8 from pg_partition_tree(c.oid) t) as bytes,
      coalesce(p.partmethod = 'h' or p.repmodel = 't', false) as is_done
    from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;
  return rows
    .flatMap(({ table, bytes, is_done: isDone }) => {
      const kind = classOf(table);
      return isDone || kind === undefined || kind === "instance" ? [] : [{ table, kind, bytes }];
    })
    .sort((a, b) => b.bytes - a.bytes);
}

const listForeignKeys = (sql: Sql) => sql<ForeignKey[]>`
  select conname as name, conrelid::regclass::text as table, confrelid::regclass::text as target,
    pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`;

/** Beside the tables that are distributed already; with none, a new group of shards. */
async function placeTenantTable(tx: Sql, table: string, shards: number): Promise<void> {
  const [beside] = await tx<{ name: string }[]>`
    select logicalrelid::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where partmethod = 'h' and not c.relispartition order by (c.relname = 'visits') desc, 1 limit 1`;
  if (beside)
    await tx`select create_distributed_table(${table}::regclass, ${DISTRIBUTION_COLUMN}, colocate_with => ${beside.name})`;
  else
    await tx`select create_distributed_table(${table}::regclass, ${DISTRIBUTION_COLUMN}, colocate_with => 'none', shard_count => ${shards}::int)`;
}

/** Moves tables within a transaction. */
export async function moveTables(
  tx: postgres.TransactionSql,
  moves: readonly Move[],
  { shards, onMove }: { shards: number; onMove?: (move: Move) => void },
): Promise<void> {
  await tx`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`;
  const keys = await listForeignKeys(tx);
  const isBound = ({ table }: Move) => keys.some((key) => key.table === table || key.target === table);
  const place = async (move: Move) => {
    onMove?.(move);
    if (move.kind === "lookup") await tx`select create_reference_table(${move.table}::regclass)`;
    else await placeTenantTable(tx, move.table, shards);
  };
  // What no key binds goes first: it is most of the data, and whoever reads it is not kept waiting.
  for (const move of moves.filter((each) => !isBound(each))) await place(move);
  const bound = moves.filter(isBound).sort((a, b) => Number(b.kind === "lookup") - Number(a.kind === "lookup"));
  const names = new Set(bound.map(({ table }) => table));
  const opened = keys.filter(({ table, target }) => names.has(table) || names.has(target));
  for (const { table, name } of opened) await tx.unsafe(`alter table ${table} drop constraint "${name}"`);
  for (const move of bound) await place(move);
  for (const { table, name, definition } of opened)
    await tx.unsafe(`alter table ${table} add constraint "${name}" ${definition}`);
}

/** What was copied to shards lies in the former place, too, where nothing reads it: this gives its space back. */
export async function dropFormerRows(sql: Sql): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where (p.partmethod = 'h' or p.repmodel = 't') and c.relkind = 'r' and pg_relation_size(c.oid) > 0`;
  for (const { name } of rows) await sql`select truncate_local_data_after_distributing_table(${name}::regclass)`;
}

export type Distributed = { moved: Move[]; hadNothingToDo: boolean };

/** Distributes what is not distributed yet, all of it or nothing. */
export async function distribute(
  sql: postgres.Sql,
  options: { shards: number; onMove?: (move: Move) => void },
): Promise<Distributed> {
  const moved = await sql.begin(async (tx) => {
    await tx`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`;
    await tx`select pg_advisory_xact_lock(727274)`;
    const moves = await listMoves(tx);
    await moveTables(tx, moves, options);
    await tx.unsafe(CREATE_ROUTED_FUNCTION);
    await tx.unsafe(DISTRIBUTE_ROUTED_FUNCTION);
    return moves;
  });
  await dropFormerRows(sql);
  return { moved, hadNothingToDo: moved.length === 0 };
}
