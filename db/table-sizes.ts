import { sql } from "drizzle-orm";

import type { Db } from "./client";
import { readShardSizes, type ShardSize } from "./cluster/shards";

/** A table, or one partition of a table. */
export type TableSize = {
  table: string;
  /** The same as `table` where there are no partitions. */
  name: string;
  /** With its indexes and what lies outside of its rows; on a cluster of all shards and copies. */
  bytes: number;
  rows: number;
  /** On a cluster of its largest shard. */
  pages: number;
};

type Found = Omit<TableSize, "rows"> & { rows: number | null };

/** Rows of a table that was never analysed, which is small, are counted up to this. */
const MAX_COUNTED = 200_000;

/** Lookup tables have their rows on each server: they are counted once. */
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

/** How large every table and partition is; rows as the planner estimates them, from their density and its present pages. */
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
