import { sql } from "drizzle-orm";

import { AppError } from "@/lib/contract/errors";
import type { Db } from "./client";
import { byDistribution } from "./prepared";

/**
 * Of one server. Copies of rows that are visible where they came from, as replication makes them, are none. What was
 * prepared in two phases belongs to no session any more, and is committed later.
 */
const OPEN_SECONDS = `
  select coalesce(ceil(extract(epoch from clock_timestamp() - min(since))), 0)::int as seconds from (
    select xact_start as since from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_xid is not null
      and backend_type = 'client backend'
    union all select prepared from pg_prepared_xacts where database = current_database()
  ) as open`;

async function askServer(db: Db): Promise<number> {
  const [row] = await db.execute<{ seconds: number }>(sql.raw(OPEN_SECONDS));
  return row?.seconds ?? 0;
}

/** What a server that does not answer has open is unknown. */
async function askServers(db: Db): Promise<number> {
  const nodes = await db.execute<{ name: string; success: boolean; result: string }>(sql`
    select n.nodename || ':' || n.nodeport as name, r.success, r.result
    from run_command_on_all_nodes(${OPEN_SECONDS}) r join pg_dist_node n on n.nodeid = r.nodeid`);
  const away = nodes.filter(({ success }) => !success).map(({ name }) => name);
  if (away.length > 0)
    throw new AppError("service_unavailable", { cause: new Error(`${away.join(", ")} does not answer`) });
  return Math.max(...nodes.map(({ result }) => Number(result)));
}

/**
 * For how many seconds the oldest transaction has been open that has written something, on any server of a cluster. One
 * that waits for a synchronous replica to confirm its commit counts too, however long: what it wrote is older than that,
 * and not seen by anybody yet.
 */
export const oldestWriteSeconds = (db: Db): Promise<number> =>
  byDistribution(
    db,
    () => askServer(db),
    () => askServers(db),
  );
