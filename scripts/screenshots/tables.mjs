import fs from "node:fs";
import path from "node:path";

import postgres from "postgres";

/** One connection to the embedded database of a data directory. @param {string} dataDir */
export function connectDatabase(dataDir) {
  const { port, password } = JSON.parse(fs.readFileSync(path.join(dataDir, "conn.json"), "utf8"));
  const url = `postgres://imprint:${password}@127.0.0.1:${port}/imprint`;
  return postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
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
