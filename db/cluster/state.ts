import { sql } from "drizzle-orm";

import type { Db } from "../client";
import { STATE_OF_ROUTED_FUNCTION } from "../routed-function";
import { readShardSizes } from "./shards";
import { classOf } from "./table-classes";

type ClusterNode = {
  name: string;
  isCoordinator: boolean;
  /** Whether tenant shards are placed on it. */
  hasShards: boolean;
  isReachable: boolean;
  /** The setting that prevents moving its shards while the service runs; empty if none does. */
  obstacle: string;
  /** State of the function through which statements reach a shard; the coordinator's copy routes them. */
  routedFunction: "current" | "other" | "missing";
  bytes: number;
};

type LargeWorkspace = { workspaceId: string; devices: number; share: number; hasOwnShard: boolean };

export type ClusterState = {
  nodes: ClusterNode[];
  /** Number of shards that workspaces are distributed over. */
  shards: number;
  /** Tables that are not placed according to their class. */
  unplaced: string[];
  largest: LargeWorkspace[];
};

/** Whether the server has the Citus extension, whether or not tables are distributed. */
async function hasExtension(db: Db): Promise<boolean> {
  return (await db.execute(sql`select 1 from pg_extension where extname = 'citus'`)).length > 0;
}

const OBSTACLE = `select case when current_setting('wal_level') <> 'logical' then 'wal_level'
  when current_setting('output_plugin_libraries', true) !~ '(^|[, "])citus([, "]|$)' then 'output_plugin_libraries' else '' end`;

async function listNodes(db: Db): Promise<Omit<ClusterNode, "bytes">[]> {
  const rows = await db.execute<
    Record<"name" | "obstacle", string> &
      Record<"is_coordinator" | "has_shards" | "is_reachable", boolean> & {
        routed_function: ClusterNode["routedFunction"];
      }
  >(sql`
    select n.nodename || ':' || n.nodeport as name, n.groupid = 0 as is_coordinator, n.shouldhaveshards as has_shards,
      coalesce(r.success, false) as is_reachable, case when r.success then r.result else '' end as obstacle,
      case when f.success then f.result else 'current' end as routed_function
    from pg_dist_node n left join run_command_on_all_nodes(${OBSTACLE}) r on r.nodeid = n.nodeid
    left join run_command_on_all_nodes(${STATE_OF_ROUTED_FUNCTION}) f on f.nodeid = n.nodeid
    where n.noderole = 'primary' order by n.groupid`);
  return rows.map(({ name, obstacle, ...row }) => ({
    ...{ name, isCoordinator: row.is_coordinator, hasShards: row.has_shards, isReachable: row.is_reachable },
    ...{ obstacle, routedFunction: row.routed_function },
  }));
}

async function listUnplaced(db: Db): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and (p.partmethod = 'h' or p.repmodel = 't') is not true
      and not exists (select 1 from pg_inherits i join pg_class parent on parent.oid = i.inhparent
        where i.inhrelid = c.oid and parent.relkind = 'p' and not exists (
          select 1 from pg_dist_partition d where d.logicalrelid = parent.oid))
    order by 1`);
  // A partition belongs where its table does; its name starts with the table's name.
  return rows.flatMap(({ name }) => {
    const kind = classOf(name) ?? classOf(name.replace(/_\d{6,8}$/, ""));
    return kind === "tenant" || kind === "lookup" ? [name] : [];
  });
}

const LARGEST = 3;

/** The largest workspaces by their latest device count. */
async function listLargest(db: Db): Promise<LargeWorkspace[]> {
  const rows = await db.execute<{ workspace_id: string; devices: number; share: number; has_own: boolean }>(sql`
    select top.workspace_id, top.devices, top.share, s.shardminvalue = s.shardmaxvalue as has_own
    from (select workspace_id, devices, devices / nullif(sum(devices) over (), 0)::float8 as share
      from device_populations order by devices desc limit ${LARGEST}) top
    join pg_dist_shard s on s.shardid = get_shard_id_for_distribution_column('visits'::regclass, top.workspace_id)`);
  return rows.map(({ workspace_id: workspaceId, devices, share, has_own: hasOwnShard }) => ({
    workspaceId,
    devices,
    share,
    hasOwnShard,
  }));
}

/**
 * State of the cluster. Undefined on a single server; without shards if Citus is installed but nothing is distributed
 * yet. Sizes on servers that do not respond are not included.
 */
export async function readClusterState(db: Db): Promise<ClusterState | undefined> {
  if (!(await hasExtension(db))) return undefined;
  const nodes = await listNodes(db);
  const [row] = await db.execute<{ shards: number }>(
    sql`select count(*)::int as shards from pg_dist_shard where logicalrelid = to_regclass('visits')`,
  );
  const shards = row?.shards ?? 0;
  if (shards === 0) return { nodes: nodes.map((node) => ({ ...node, bytes: 0 })), shards, unplaced: [], largest: [] };
  const sizes = await readShardSizes(db);
  const bytesOn = (name: string) =>
    sizes.reduce((sum, { node, bytes, isTenant }) => sum + (node === name && isTenant ? bytes : 0), 0);
  return {
    nodes: nodes.map((node) => ({ ...node, bytes: bytesOn(node.name) })),
    shards,
    unplaced: await listUnplaced(db),
    largest: nodes.every(({ isReachable }) => isReachable) ? await listLargest(db) : [],
  };
}
