import { connect } from "@/db/client";
import { connectForPlacing } from "@/db/cluster/connect";
import { distribute } from "@/db/cluster/distribute";
import { migrateDatabase } from "@/db/migrate";
import { ensurePartitions } from "@/db/partitions";

const DAYS_BACK = 100;

/** Where the tests need past months and days. */
export async function makePartitions(url: string): Promise<void> {
  const { db, close } = connect({ url, poolSize: 1, prepare: false, hasSettings: false, applicationName: "template" });
  const now = new Date();
  await ensurePartitions(db, new Date(now.getTime() - DAYS_BACK * 86_400_000), now);
  await close();
}

/** Shards of a cluster that has none yet: so few that tests of a busy machine do not wait for them. */
const SHARDS = 8;

/** Migrates the database that a run was given, and distributes it where it is the coordinator of a cluster. */
export async function prepareGivenDatabase(url: string): Promise<void> {
  await migrateDatabase(url, "db/migrations");
  await makePartitions(url);
  const sql = connectForPlacing(url);
  const [extension] = await sql`select 1 from pg_extension where extname = 'citus'`;
  if (extension) await distribute(sql, { shards: SHARDS });
  await sql.end({ timeout: 5 });
}
