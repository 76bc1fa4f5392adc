import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { OLDEST_TRANSACTION_SECONDS } from "@/lib/operations/backup";

/**
 * Reads server figures that an ordinary role can see. Unless the role may read all statistics, other roles' sessions
 * are only counted.
 */
export async function readServerFigures(db: Db) {
  const [row] = await db.execute<{
    epoch_ms: string;
    is_writable: boolean;
    connections: number;
    max_connections: number;
    size_bytes: string;
    oldest_seconds: number;
    slot_bytes: string;
  }>(sql`
    select extract(epoch from clock_timestamp()) * 1000 as epoch_ms,
      not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as is_writable,
      (select sum(numbackends)::int from pg_stat_database) as connections,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max_connections,
      pg_database_size(current_database()) as size_bytes,
      ${OLDEST_TRANSACTION_SECONDS} as oldest_seconds,
      coalesce((select max(case when pg_is_in_recovery() then 0
        else pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) end) from pg_replication_slots), 0) as slot_bytes`);
  if (!row) throw new Error("the database did not return its figures");
  return row;
}

/** Tuples by table, summed over partitions. */
export const listTableFigures = (db: Db) =>
  db.execute<{ name: string; dead: number; live: number; partitions: number }>(sql`
    select coalesce(p.relname, c.relname) as name, sum(s.n_dead_tup)::float8 as dead, sum(s.n_live_tup)::float8 as live,
      count(p.relname)::int as partitions
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where s.schemaname = current_schema() and c.relkind = 'r'
    group by 1`);
