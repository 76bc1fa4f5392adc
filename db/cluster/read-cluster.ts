import type { Sql } from "./place-tables";

export type Node = { id: number; name: string; port: number; isCoordinator: boolean; hasShards: boolean };

/** The servers of the cluster; `hasShards` says whether shards are placed on a server. */
export async function listNodes(sql: Sql): Promise<Node[]> {
  return await sql<Node[]>`
    select nodeid as id, nodename as name, nodeport as port, groupid = 0 as "isCoordinator", shouldhaveshards as "hasShards"
    from pg_dist_node where isactive and noderole = 'primary' order by groupid`;
}

export type Capacity = { name: string; locks: number };

/** Lock slots of each server. */
export async function readLockCapacities(sql: Sql): Promise<Capacity[]> {
  const rows = await sql<{ name: string; locks: string }[]>`
    select n.nodename || ':' || n.nodeport as name, r.result as locks
    from run_command_on_all_nodes($$select current_setting('max_locks_per_transaction')::int
      * (current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int)$$) r
    join pg_dist_node n on n.nodeid = r.nodeid where r.success`;
  return rows.map(({ name, locks }) => ({ name, locks: Number(locks) }));
}
