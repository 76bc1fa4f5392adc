import { sql } from "drizzle-orm";

import type { Db } from "./client";

/**
 * For how many seconds the oldest transaction has been open that has written something. One that waits for a synchronous
 * replica to confirm its commit counts too, however long: what it wrote is older than that, and not seen by anybody yet.
 */
export async function oldestWriteSeconds(db: Db): Promise<number> {
  const [row] = await db.execute<{ seconds: number }>(sql`
    select coalesce(ceil(extract(epoch from clock_timestamp() - min(xact_start))), 0)::int as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_xid is not null`);
  return row?.seconds ?? 0;
}
