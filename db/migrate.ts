import { drizzle } from "drizzle-orm/postgres-js";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";

/** Advisory lock of migrations: several replicas start at once, one migrates. */
const MIGRATION_LOCK = 727274;

type Applied = { newest: number | undefined; count: number };

async function readApplied(sql: postgres.Sql): Promise<Applied> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') as name`;
  if (!table?.["name"]) return { newest: undefined, count: 0 };
  const [row] =
    await sql`select max(created_at)::float8 as newest, count(*)::int as count from drizzle.__drizzle_migrations`;
  return { newest: (row?.["newest"] as number | null) ?? undefined, count: row?.["count"] as number };
}

/** Refuses a database with migrations that this version does not know, before anything is changed. */
async function refuseUnknownSchema(sql: postgres.Sql, migrations: readonly MigrationMeta[]): Promise<void> {
  const { newest } = await readApplied(sql);
  if (newest === undefined) return;
  if (newest > Math.max(...migrations.map(({ folderMillis }) => folderMillis))) {
    throw new Error(
      "The database belongs to a newer version of Imprint than this one. Start that version, or restore a backup made before its upgrade.",
    );
  }
  const hashes = new Map(migrations.map(({ folderMillis, hash }) => [folderMillis, hash]));
  const applied = await sql<{ at: number; hash: string }[]>`
    select created_at::float8 as at, hash from drizzle.__drizzle_migrations`;
  if (applied.some(({ at, hash }) => hashes.get(at) !== hash)) {
    throw new Error(
      "The database was created by an unreleased state of Imprint, with a schema that no release has. Start that version, or use an empty database.",
    );
  }
}

/**
 * Brings the schema up to this version, under an advisory lock.
 *
 * @throws Error when the database was migrated by a newer version of the service, or by one that was never released
 */
export async function migrateDatabase(url: string, migrationsFolder: string): Promise<void> {
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
    connect_timeout: 10,
    connection: { TimeZone: "UTC" },
  });
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await refuseUnknownSchema(sql, readMigrationFiles({ migrationsFolder }));
    await migrate(drizzle(sql), { migrationsFolder });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Whether every migration of this version is applied. */
export async function isMigrated(pool: postgres.Sql, migrationsFolder: string): Promise<boolean> {
  const { count } = await readApplied(pool);
  return count >= readMigrationFiles({ migrationsFolder }).length;
}
