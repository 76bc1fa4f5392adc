import { sql } from "drizzle-orm";

import type { Db } from "../client";

export type ShardSize = {
  /** The table or partition that this shard belongs to. */
  name: string;
  shardId: string;
  /** `host:port` of its server. */
  node: string;
  bytes: number;
  pages: number;
  /** Planner estimate; undefined before the first `analyze`. */
  rows: number | undefined;
  /** Whether it is a shard of tenant data rather than a copy of a lookup table. */
  isTenant: boolean;
};

/** Whether tables of this database are distributed. */
async function isClustered(db: Db): Promise<boolean> {
  const [row] = await db.execute<{ table: string | null }>(sql`select to_regclass('pg_dist_partition')::text as table`);
  if (!row?.table) return false;
  return (await db.execute(sql`select 1 from pg_dist_partition where partmethod = 'h' limit 1`)).length > 0;
}

/** Sizes of all tables on one server whose name ends in a shard id. */
const OF_NODE = `select json_agg(json_build_array(c.relname, pg_total_relation_size(c.oid),
    pg_relation_size(c.oid) / current_setting('block_size')::int, c.reltuples, c.relpages))
  from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname ~ '_[0-9]{6,}$'`;

type Listed = [name: string, bytes: number, pages: number, tuples: number, analysedPages: number];

const rowsOf = ([, , pages, tuples, analysedPages]: Listed): number | undefined => {
  if (pages === 0) return 0;
  return tuples > 0 && analysedPages > 0 ? (tuples / analysedPages) * pages : undefined;
};

/** Every shard on the servers that respond, including copies of lookup tables; empty on a single server. */
export async function readShardSizes(db: Db): Promise<ShardSize[]> {
  if (!(await isClustered(db))) return [];
  const nodes = await db.execute<{ node: string; listed: string }>(sql`
    select n.nodename || ':' || n.nodeport as node, r.result as listed
    from run_command_on_all_nodes(${OF_NODE}) r join pg_dist_node n on n.nodeid = r.nodeid
    where r.success and r.result <> ''`);
  const shards = await db.execute<{ id: string; name: string; is_tenant: boolean }>(sql`
    select s.shardid::text as id, c.relname as name, p.partmethod = 'h' as is_tenant from pg_dist_shard s
    join pg_class c on c.oid = s.logicalrelid join pg_dist_partition p on p.logicalrelid = s.logicalrelid`);
  const byId = new Map(shards.map((shard) => [shard.id, shard]));
  return nodes.flatMap(({ node, listed }) =>
    ((JSON.parse(listed) as Listed[] | null) ?? []).flatMap((each) => {
      const shardId = each[0].slice(each[0].lastIndexOf("_") + 1);
      const shard = byId.get(shardId);
      if (shard === undefined || each[0] !== `${shard.name}_${shardId}`) return [];
      const [, bytes, pages] = each;
      return [{ name: shard.name, shardId, node, bytes, pages, rows: rowsOf(each), isTenant: shard.is_tenant }];
    }),
  );
}
