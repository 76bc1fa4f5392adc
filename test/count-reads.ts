import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";

/**
 * Number of rows that `work` reads from tables whose names match a regular expression. Requires a transaction. The
 * server's counts include earlier ones, hence the difference.
 */
export async function countReads<Result>(
  tx: Db,
  tables: string,
  work: () => PromiseLike<Result>,
): Promise<{ result: Result; reads: number }> {
  const count = async () => {
    const [row] = await tx.execute<{ reads: number }>(sql`
      select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::int as reads from pg_stat_xact_user_tables
      where relname ~ ${tables}`);
    return row?.reads ?? 0;
  };
  const before = await count();
  const result = await work();
  return { result, reads: (await count()) - before };
}
