import { connectDatabase } from "../common/embedded-database";

type Missing = { dataDir: string; table: string; how: "gone" | "locked" };

/** Keeps a table from the service while `work` runs: one that is gone makes pages fail, a locked one makes them wait. */
export async function withoutTable({ dataDir, table, how }: Missing, work: () => Promise<void>): Promise<void> {
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
