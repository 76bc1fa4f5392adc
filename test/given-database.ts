import { connect } from "@/db/client";
import { connectForPlacing } from "@/db/cluster/connect";
import { distribute } from "@/db/cluster/distribute";
import { migrateDatabase } from "@/db/migrate";
import { ensurePartitions } from "@/db/partitions";

const DAYS_BACK = 100;

/** Creates the partitions of past months and days that tests need. */
export async function makePartitions(url: string): Promise<void> {
  const { db, close } = connect({ url, poolSize: 1, prepare: false, hasSettings: false, applicationName: "template" });
  const now = new Date();
  await ensurePartitions(db, new Date(now.getTime() - DAYS_BACK * 86_400_000), now);
  await close();
}

/** Number of shards for a cluster that has none yet: few, so that tests on a busy machine do not wait for them. */
const SHARDS = 8;

/** Migrates the run's given database, and distributes it if it is the coordinator of a cluster. */
export async function prepareGivenDatabase(url: string): Promise<void> {
  await migrateDatabase(url, "db/migrations");
  await makePartitions(url);
  const sql = connectForPlacing(url);
  const [extension] = await sql`select 1 from pg_extension where extname = 'citus'`;
  if (extension) await distribute(sql, { shards: SHARDS });
  await sql.end({ timeout: 5 });
}
