import { sql } from "drizzle-orm";

import { AppError } from "@/lib/contract/errors";
import type { Db } from "./client";
import { byDistribution } from "./prepared";

/**
 * Age of the oldest writing transaction on one server. Backends that apply replicated rows are excluded: those rows are
 * already visible at their origin. A transaction prepared for two-phase commit no longer belongs to a session and
 * commits later.
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

/** @throws AppError `service_unavailable` if a server does not respond: its open transactions are unknown */
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
 * Age in seconds of the oldest open transaction that has written something, on any server of a cluster. A transaction
 * that waits for a synchronous replica to confirm its commit counts too, however long it waits: its rows are already
 * that old and not yet visible to anyone.
 */
export const oldestWriteSeconds = (db: Db): Promise<number> =>
  byDistribution(
    db,
    () => askServer(db),
    () => askServers(db),
  );
