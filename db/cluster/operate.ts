import type postgres from "postgres";

import { AppError } from "@/lib/contract/errors";
import type { Sql } from "./place-tables";

/** All other tenant tables are colocated with this one. */
const COLOCATED_WITH = "visits";

/** The shard of a workspace, and whether that workspace has it to itself. */
export async function findShard(sql: Sql, workspace: string) {
  const [row] = await sql<{ shard: string; node: string; isOwn: boolean }[]>`
    select s.shardid::text as shard, n.nodename || ':' || n.nodeport as node,
      s.shardminvalue = s.shardmaxvalue as "isOwn"
    from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid join pg_dist_node n on n.groupid = p.groupid
    where s.shardid = get_shard_id_for_distribution_column(${COLOCATED_WITH}::regclass, ${workspace}::uuid)`;
  if (!row) throw new AppError("conflict", { message: "The database is not distributed yet: run distribute first." });
  return row;
}

/** Why shards cannot be moved while they are being written to, with the remedy; undefined if they can. */
async function findMoveObstacle(sql: Sql): Promise<string | undefined> {
  const nodes = await sql<{ name: string; success: boolean; result: string }[]>`
    select n.nodename || ':' || n.nodeport as name, r.success, r.result
    from run_command_on_all_nodes($$select case when current_setting('wal_level') <> 'logical' then 'wal_level'
      when current_setting('output_plugin_libraries', true) !~ '(^|[, "])citus([, "]|$)' then 'output_plugin_libraries' else '' end$$) r
    join pg_dist_node n on n.nodeid = r.nodeid`;
  const away = nodes.filter(({ success }) => !success).map(({ name }) => name);
  if (away.length > 0) return `${away.join(", ")} does not answer. Start it again.`;
  const without = (setting: string) =>
    nodes.flatMap(({ name, result }) => (result === setting ? [name] : [])).join(", ");
  if (without("wal_level") !== "")
    return `wal_level is not logical on ${without("wal_level")}. Set it in the configuration, and restart the server.`;
  if (without("output_plugin_libraries") !== "")
    return `PostgreSQL does not let Citus copy changes on ${without("output_plugin_libraries")}. Run there: alter system set output_plugin_libraries = pgoutput, citus; select pg_reload_conf()`;
  return undefined;
}

async function refuseImmovable(sql: Sql): Promise<void> {
  const obstacle = await findMoveObstacle(sql);
  if (obstacle !== undefined)
    throw new AppError("conflict", { message: `Shards cannot be moved while the service runs: ${obstacle}` });
}

/** The other server with the fewest shards; undefined if no other server accepts shards. */
async function findOtherNode(sql: Sql, shard: string): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`
    select n.nodeid as id from pg_dist_node n
    left join (pg_dist_placement p join pg_dist_shard s on s.shardid = p.shardid and s.logicalrelid = ${COLOCATED_WITH}::regclass)
      on p.groupid = n.groupid
    where n.isactive and n.noderole = 'primary' and n.shouldhaveshards
      and n.groupid <> (select groupid from pg_dist_placement where shardid = ${shard}::bigint)
    group by n.nodeid order by count(p.shardid), n.nodeid limit 1`;
  return row?.id;
}

/**
 * Moves a workspace, with all its tables, to a shard of its own. The shard that it leaves is split and moves to another
 * server with it; changes are replicated meanwhile, so writes of these workspaces block only for the final switch.
 * Within one server Citus 13 cannot replicate the changes: the remaining parts have no primary key yet when replication
 * begins, and the copy never ends (citusdata/citus#6790). Without another server, writes to the shard block during the
 * whole copy.
 */
export async function isolateWorkspace(sql: postgres.Sql, workspace: string): Promise<{ isNew: boolean }> {
  const { isOwn, shard } = await findShard(sql, workspace);
  if (isOwn) return { isNew: false };
  const node = await findOtherNode(sql, shard);
  if (node === undefined) {
    await sql`
      select isolate_tenant_to_new_shard(${COLOCATED_WITH}::regclass, ${workspace}::uuid, 'CASCADE',
        shard_transfer_mode => 'block_writes')`;
    return { isNew: true };
  }
  await refuseImmovable(sql);
  await sql`
    select citus_split_shard_by_split_points(shardid, points, array_fill(${node}::int, array[cardinality(points) + 1]), 'auto')
    from (
      select shardid, array_remove(array[
        case when hash > shardminvalue::int then (hash - 1)::text end,
        case when hash < shardmaxvalue::int then hash::text end], null) as points
      from pg_dist_shard, worker_hash(${workspace}::uuid) as hash where shardid = ${shard}::bigint
    ) as split`;
  return { isNew: true };
}

export type Rebalance = { state: string; done: number; steps: number };

/** Starts moving shards to balance the servers; false if nothing has to move. */
export async function startRebalance(sql: postgres.Sql): Promise<boolean> {
  const [moves] = await sql<{ count: number }[]>`select count(*)::int as count from get_rebalance_table_shards_plan()`;
  if (moves?.count === 0) return false;
  await refuseImmovable(sql);
  await sql`select citus_rebalance_start(shard_transfer_mode => 'auto')`;
  return true;
}

/** Progress of the latest rebalance; undefined if there was none. */
export async function readRebalance(sql: Sql): Promise<Rebalance | undefined> {
  const [row] = await sql<Rebalance[]>`
    select j.state::text as state,
      (select count(*)::int from pg_dist_background_task t where t.job_id = j.job_id and t.status = 'done') as done,
      (select count(*)::int from pg_dist_background_task t where t.job_id = j.job_id) as steps
    from pg_dist_background_job j where j.job_type = 'rebalance' order by j.job_id desc limit 1`;
  return row;
}
