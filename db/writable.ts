import { sql } from "drizzle-orm";

import type { Connection, Database } from "./client";

/** Rows of a temporary file of about a megabyte: more than PostgreSQL adds to a table at once. */
const ROWS = 30_000;
/** A server that had room is not asked to write a file again within this time. */
const TRUSTED_MS = 1_000;

/**
 * Whether the database takes writes. A server that is read-only refuses the update, which changes nothing; one whose
 * disk is full refuses the temporary file, which is needed since small changes may still fit into pages that exist.
 *
 * @throws Error of the database when it does not
 */
async function assertWritable(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)`);
    await tx.execute(sql`select count(*) from generate_series(1, ${sql.raw(String(ROWS))})`);
    await tx.execute(sql`update instance_notes set noted_at = noted_at where false`);
  });
}

/**
 * A check that is cheap to repeat. It rejects as `assertWritable` does. Once the server writes again after it only read,
 * connections may still lead to the old one: they are reopened, and the check holds the next time.
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
