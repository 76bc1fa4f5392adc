import { onDatabase } from "../common/embedded-database";

type Missing = { dataDir: string; table: string; how: "gone" | "locked" };

/**
 * Makes a table unavailable to the service while `work` runs: with `gone` pages fail, with `locked` they keep loading.
 */
export async function withoutTable({ dataDir, table, how }: Missing, work: () => Promise<void>): Promise<void> {
  await onDatabase(dataDir, async (sql) => {
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
  });
}
