import postgres from "postgres";

import { embeddedDatabaseUrl } from "../demo/embedded-database.mjs";

/** One connection to the embedded database of a data directory. @param {string} dataDir */
export function connectDatabase(dataDir) {
  return postgres(embeddedDatabaseUrl(dataDir), { max: 1, fetch_types: false, onnotice: () => undefined });
}

/**
 * Keeps a table from the service while `work` runs: one that is gone makes pages fail, a locked one makes them wait.
 *
 * @param {{ dataDir: string, table: string, how: "gone" | "locked" }} which
 * @param {() => Promise<void>} work
 */
export async function withoutTable({ dataDir, table, how }, work) {
  const sql = connectDatabase(dataDir);
  try {
    if (how === "locked") {
      await sql.begin(async (tx) => {
        await tx.unsafe(`lock table ${table} in access exclusive mode`);
        await work();
      });
      return;
    }
    await sql.unsafe(`alter table ${table} rename to ${table}_away`);
    try {
      await work();
    } finally {
      await sql.unsafe(`alter table ${table}_away rename to ${table}`);
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}
