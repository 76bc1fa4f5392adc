import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { byDistribution } from "@/db/prepared";

const WAITING = "select count(*)::int as count from pg_locks where not granted";

/** Number of lock waits, on all servers of a cluster. */
export const countLockWaits = (db: Db): Promise<number> =>
  byDistribution(
    db,
    async () => (await db.execute<{ count: number }>(sql.raw(WAITING)))[0]?.count ?? 0,
    async () => {
      const counts = await db.execute<{ result: string }>(sql`select result from run_command_on_all_nodes(${WAITING})`);
      return counts.reduce((sum, { result }) => sum + Number(result), 0);
    },
  );
