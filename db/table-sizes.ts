import { sql } from "drizzle-orm";

import type { Db } from "./client";
import { readShardSizes, type ShardSize } from "./cluster/shards";

/** Size of a table or of one of its partitions. */
export type TableSize = {
  table: string;
  /** Same as `table` if it is not partitioned. */
  name: string;
  /** Including indexes and TOAST; on a cluster the sum over all shards and copies. */
  bytes: number;
  rows: number;
  /** On a cluster, of the largest shard. */
  pages: number;
};

type Found = Omit<TableSize, "rows"> & { rows: number | null };

/** Row count limit for tables that were never analysed, which are small. */
const MAX_COUNTED = 200_000;

/** Lookup tables have the same rows on every server, so their rows are counted once. */
function ofShards(found: Found, shards: readonly ShardSize[]): Found {
  const counted = shards.filter(({ isTenant, node }) => isTenant || node === shards[0]?.node);
  const isKnown = counted.every(({ rows }) => rows !== undefined);
  return {
    ...found,
    bytes: shards.reduce((sum, { bytes }) => sum + bytes, found.bytes),
    pages: Math.max(...shards.map(({ pages }) => pages)),
    rows: isKnown ? counted.reduce((sum, { rows = 0 }) => sum + rows, 0) : null,
  };
}

/** Sizes of all tables and partitions. Row counts are planner estimates: density times current pages. */
export async function readTableSizes(db: Db): Promise<TableSize[]> {
  const found = await db.execute<Found>(sql`
    select coalesce(p.relname, c.relname) as table, c.relname as name,
      pg_total_relation_size(c.oid)::float8 as bytes, s.pages,
      case when s.pages = 0 then 0 when c.reltuples > 0 and c.relpages > 0 then c.reltuples / c.relpages * s.pages end::float8 as rows
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
      cross join lateral (select (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as pages) s
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace`);
  const shards = new Map<string, ShardSize[]>();
  for (const shard of await readShardSizes(db)) shards.set(shard.name, [...(shards.get(shard.name) ?? []), shard]);
  const sizes: TableSize[] = [];
  for (const each of found) {
    const own = shards.get(each.name);
    const size = own ? ofShards(each, own) : each;
    sizes.push({ ...size, rows: size.rows ?? (await countRows(db, size.name)) });
  }
  return sizes;
}

async function countRows(db: Db, name: string): Promise<number> {
  const [row] = await db.execute<{ rows: number }>(
    sql`select count(*)::int as rows from (select 1 from ${sql.identifier(name)} limit ${MAX_COUNTED}) counted`,
  );
  return row?.rows ?? 0;
}
