import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connect } from "@/db/client";
import { connectForPlacing } from "@/db/cluster/connect";
import { distribute } from "@/db/cluster/distribute";
import { listUnplaced } from "@/db/cluster/place-tables";
import { listSchemaFaults } from "@/db/compare-schema";
import { migrateDatabase } from "@/db/migrate";
import { ensurePartitions } from "@/db/partitions";

const MIGRATIONS = "db/migrations";
/** Few, because only the placement of tables is checked. */
const SHARDS = 2;

type Journal = { entries: unknown[] };

/** Copies the migrations folder with only the first `count` migrations. */
function firstMigrations(count: number): string {
  const folder = mkdtempSync(join(tmpdir(), "imprint-migrations-"));
  cpSync(MIGRATIONS, folder, { recursive: true });
  const file = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8")) as Journal; // safe: written by drizzle-kit
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  return folder;
}

/**
 * Distributes a database that has only the first migration, applies all others, and creates partitions; returns what is
 * wrong.
 */
export async function checkMigrations(url: string): Promise<string[]> {
  const folder = firstMigrations(1);
  const sql = connectForPlacing(url);
  const { db, close } = connect({ url, poolSize: 2, prepare: false, applicationName: "imprint-cluster" });
  try {
    await migrateDatabase(url, folder);
    await distribute(sql, { shards: SHARDS });
    await migrateDatabase(url, MIGRATIONS);
    await distribute(sql, { shards: SHARDS });
    await ensurePartitions(db, new Date(), new Date());
    const local = await sql<{ name: string }[]>`
      select i.inhrelid::regclass::text as name from pg_inherits i join pg_class p on p.oid = i.inhparent
      where p.relkind = 'p' and p.relnamespace = 'public'::regnamespace
        and not exists (select 1 from pg_dist_partition d where d.logicalrelid = i.inhrelid)`;
    return [
      ...(await listUnplaced(sql)).map(({ table }) => `${table} is not placed according to its class`),
      ...local.map(({ name }) => `the partition ${name} is not distributed`),
      ...(await listSchemaFaults(db)),
    ];
  } finally {
    await close();
    await sql.end({ timeout: 5 });
    rmSync(folder, { recursive: true });
  }
}
