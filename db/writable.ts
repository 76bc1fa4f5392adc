import { sql } from "drizzle-orm";

import type { Connection, Database } from "./client";

/** Rows that make a temporary file of about a megabyte: more than PostgreSQL extends a table by at once. */
const ROWS = 30_000;
/** A server that had enough disk space is not checked again within this time. */
const TRUSTED_MS = 1_000;

/**
 * Verifies that the database accepts writes. A read-only server rejects the update, which changes nothing. A server
 * with a full disk fails to write the temporary file, which is necessary because small changes may still fit into
 * existing pages.
 *
 * @throws the database's Error if it does not
 */
async function assertWritable(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)`);
    await tx.execute(sql`select count(*) from generate_series(1, ${sql.raw(String(ROWS))})`);
    await tx.execute(sql`update instance_notes set noted_at = noted_at where false`);
  });
}

/**
 * Creates a write check that is cheap to repeat and rejects like `assertWritable`. When the server accepts writes again
 * after having been read-only, connections may still lead to the old server, so they are reopened; the check then
 * returns false once, and true the next time.
 */
export function createWriteCheck({
  db,
  readOnlyAt,
  renewAll,
}: Pick<Connection, "db" | "readOnlyAt" | "renewAll">): () => Promise<boolean> {
  let trustedUntil = Number.NEGATIVE_INFINITY;
  let renewedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const isSuspect = () => readOnlyAt() > renewedAt;
    if (performance.now() < trustedUntil && !isSuspect()) return true;
    await assertWritable(db);
    if (isSuspect()) {
      renewedAt = performance.now();
      renewAll();
      return false;
    }
    trustedUntil = performance.now() + TRUSTED_MS;
    return true;
  };
}
