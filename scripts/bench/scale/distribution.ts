import type postgres from "postgres";

/** Distribution of visits: the number of servers with shards, and the largest share of visits on one of them. */
export type Distribution = { servers: number; isCluster: boolean; skew: number };

/** @param pool connection to the database, or to the coordinator of a cluster */
export async function readDistribution(pool: postgres.Sql): Promise<Distribution> {
  const [extension] = await pool`select 1 from pg_extension where extname = 'citus'`;
  if (!extension) return { servers: 1, isCluster: false, skew: 1 };
  const rows = await pool<{ bytes: number }[]>`
    select sum(shard_size)::float8 as bytes from citus_shards
    where citus_table_type = 'distributed' and table_name::text like 'visits\_%' group by nodename, nodeport`;
  if (rows.length === 0) return { servers: 1, isCluster: false, skew: 1 };
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = Math.max(...rows.map(({ bytes }) => bytes));
  return { servers: rows.length, isCluster: true, skew: Number((largest / Math.max(1, total)).toFixed(2)) };
}
