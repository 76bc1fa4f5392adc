import { inTime } from "./in-time";
import { createPipelines, type Pipelines } from "./pipelines";
import type { Renewable } from "./renewable";
import { READ_TABLES_OF_SHARD, ROUTED_FUNCTION } from "./routed-function";
import type { ShardConnection, ShardServer } from "./shard-servers";

/**
 * Identifies the installation by a workspace that no other one has. Every server of a cluster has a copy of that table.
 */
const FIRST_WORKSPACE = "(select workspace_id::text from workspaces order by workspace_id limit 1)";

/** The servers with shards; runs on the coordinator. */
export const LIST_SHARD_SERVERS = `
  select groupid as "group", nodename as host, nodeport as port, ${FIRST_WORKSPACE} as workspace from pg_dist_node
  where isactive and noderole = 'primary' and shouldhaveshards`;

const PROVE_SHARD_SERVER = `
  select groupid as "group", ${FIRST_WORKSPACE} as workspace, to_regprocedure('${ROUTED_FUNCTION}(uuid,text,text,json)') is not null as "hasFunction"
  from pg_dist_local_group`;

type Clients = readonly Renewable[];

export function pipelinesOver([first, ...others]: Clients): Pipelines | undefined {
  return first && createPipelines([first, ...others]);
}

export const closeAll = async (clients: Clients): Promise<void> => {
  await Promise.all(clients.map(({ close }) => close()));
};

/**
 * Connects to a shard server. Its address is the one the other servers use, which may lead to a different server from
 * here.
 *
 * @throws Error if it does not prove to be the server of its group in this installation
 */
export async function openShardConnection(
  clients: Clients,
  { group, workspace }: ShardServer,
): Promise<ShardConnection> {
  try {
    const pipelines = pipelinesOver(clients);
    if (!pipelines) throw new Error("no connections are configured for short statements");
    const [row] = await inTime(pipelines.send(PROVE_SHARD_SERVER, [], {}));
    if (row?.["group"] !== group || row["workspace"] !== workspace)
      throw new Error(`the server that answered is not that of group ${group}`);
    if (row["hasFunction"] !== true) throw new Error(`${ROUTED_FUNCTION} is missing there`);
    return {
      pipelines,
      async readTables(shard) {
        const rows = await pipelines.send(READ_TABLES_OF_SHARD, [shard], {});
        return new Map(rows.map(({ name, shardid }) => [String(name), Number(shardid)]));
      },
      close: () => closeAll(clients),
    };
  } catch (error) {
    void closeAll(clients);
    throw error;
  }
}
