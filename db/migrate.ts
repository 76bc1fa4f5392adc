import { setTimeout as delay } from "node:timers/promises";

import postgres from "postgres";

import { openClient } from "./open-client";
import { type ClusterMigration, prepareMigration, runAfterwards } from "./cluster/migrate-cluster";
import { codeOf } from "./failures";
import { refuseForeignTables } from "./foreign-tables";
import { migrationError } from "./migration-error";
import { listMigrations, type Migration, STOP_FIRST } from "./migration-list";
import { hasOlderService } from "./older-service";
import { versionRefusal } from "./server-version";

/** Advisory lock for migrations: when several replicas start at once, one migrates. */
const MIGRATION_LOCK = 727274;
/** How long another process may take to migrate. */
const LOCK_TIMEOUT = "5min";
/** All later statements queue behind one that waits for a table lock, so it fails early and is retried. */
const TABLE_TIMEOUT = "2s";
const TABLE_ATTEMPTS = 20;
const TABLE_PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = "55P03";
/** lock_not_available, and deadlock_detected: with a transaction of a service that runs meanwhile. */
const LOCK_FAILURES = new Set([LOCK_NOT_AVAILABLE, "40P01"]);

type Sql = postgres.Sql | postgres.TransactionSql;
type Options = {
  /** How long to wait for an older service that is stopping. */
  waitMs?: number;
  /** Called before each migration, with its position among those to apply. */
  onMigration?: (name: string, index: number, total: number) => void;
};
type Located = Options & { url: string };
type Applied = { when: number; hash: string };

async function readApplied(sql: Sql): Promise<Applied[]> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations')::text as name`;
  if (!table?.["name"]) return [];
  const rows = await sql<
    { when: string; hash: string }[]
  >`select created_at::text as when, hash from drizzle.__drizzle_migrations`;
  return rows.map(({ when, hash }) => ({ when: Number(when), hash }));
}

/** Refuses a database with migrations unknown to this version, before anything is changed. */
function refuseUnknownSchema(applied: readonly Applied[], migrations: readonly Migration[]): void {
  const newest = Math.max(...migrations.map(({ when }) => when));
  if (applied.some(({ when }) => when > newest)) {
    throw new Error(
      "The database belongs to a newer version of Imprint than this one. Start that version, or restore a backup made before its upgrade.",
    );
  }
  const hashes = new Map(migrations.map(({ when, hash }) => [when, hash]));
  if (applied.length > 0 && !applied.some(({ when }) => hashes.has(when)))
    throw new Error(
      "The database has the migrations of another program. Nothing was changed. Give Imprint a database of its own, and check the name in DATABASE_URL.",
    );
  if (applied.some(({ when, hash }) => hashes.get(when) !== hash)) {
    throw new Error(
      "The database was created by an unreleased state of Imprint, with a schema that no release has. Start that version, or use an empty database.",
    );
  }
}

/** @throws Error if the server is older than the oldest supported version */
async function refuseOldServer(sql: Sql): Promise<void> {
  const [row] = await sql<{ number: number; version: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`;
  const refusal = row && versionRefusal(row);
  if (refusal !== undefined) throw new Error(refusal);
}

async function readPending(sql: Sql, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = await readApplied(sql);
  refuseUnknownSchema(applied, migrations);
  const known = new Set(applied.map(({ when }) => when));
  return migrations.filter(({ when }) => !known.has(when));
}

/** @throws Error if an older service is using the database and would not survive the migrations */
async function refuseBeneathOlderService(
  sql: postgres.TransactionSql,
  pending: readonly Migration[],
  { url, waitMs }: Located,
): Promise<void> {
  const [stopping] = pending.flatMap(({ name }) => (STOP_FIRST[name] === undefined ? [] : [name]));
  // An empty database has no running service; the first migration creates everything.
  if (stopping === undefined || pending[0]?.name.startsWith("0000_") || !(await hasOlderService(sql, url, waitMs)))
    return;
  throw new Error(
    `Stop every process of the older version first: the migration ${stopping} is not compatible with it, since ${STOP_FIRST[stopping] ?? ""}. Nothing was changed.`,
  );
}

/** drizzle-kit's table of applied migrations. */
const LIST = {
  name: "of the list of migrations",
  statements: [
    "create schema if not exists drizzle",
    "create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)",
  ],
};

/** @throws Error with the failing statement and its cause */
async function runStatements(
  sql: postgres.TransactionSql,
  migration: Pick<Migration, "name" | "statements">,
  cluster?: ClusterMigration,
): Promise<void> {
  for (const [index, statement] of migration.statements.entries()) {
    try {
      if (!(await cluster?.before(statement))) await sql.unsafe(statement);
    } catch (error) {
      throw migrationError(error, migration, index);
    }
  }
}

/** @throws Error if another process keeps the lock */
async function takeLock(sql: postgres.TransactionSql): Promise<void> {
  try {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
    throw new Error(
      `Another process has held the migration lock for ${LOCK_TIMEOUT}. If none of your processes is migrating, end the session that holds it: select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = ${MIGRATION_LOCK} and granted`,
    );
  }
}

/**
 * Applies all pending migrations in one transaction: a failure leaves the schema unchanged. The lock ends with the
 * transaction, so a pooler that shares server connections between clients cannot leak it.
 */
async function applyPending(sql: postgres.Sql, migrations: readonly Migration[], options: Located): Promise<string[]> {
  let cluster: ClusterMigration | undefined;
  // Read committed: each statement sees what another process applied while this one waited for the lock.
  const names = await sql.begin("isolation level read committed", async (tx) => {
    await tx`select set_config('statement_timeout', '0', true), set_config('lock_timeout', ${LOCK_TIMEOUT}, true),
      set_config('idle_in_transaction_session_timeout', '0', true)`;
    await takeLock(tx);
    const pending = await readPending(tx, migrations);
    await refuseBeneathOlderService(tx, pending, options);
    await tx`select set_config('lock_timeout', ${TABLE_TIMEOUT}, true)`;
    await runStatements(tx, LIST);
    cluster = await prepareMigration(tx);
    for (const [index, migration] of pending.entries()) {
      const { hash, when } = migration;
      options.onMigration?.(migration.name, index, pending.length);
      await runStatements(tx, migration, cluster);
      await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`;
    }
    await cluster.finish();
    return pending.map(({ name }) => name);
  });
  if (cluster) await runAfterwards(sql, cluster);
  return names;
}

const isLockFailure = (error: unknown): boolean => error instanceof Error && LOCK_FAILURES.has(codeOf(error.cause));

/**
 * Brings the schema up to this version and returns the names of the migrations applied.
 *
 * @throws Error if the database was migrated by a newer or an unreleased version of the service, if its server is too
 * old, if an older service must be stopped first, or, with its cause, if a migration fails
 */
export async function migrateDatabase(url: string, migrationsFolder: string, options: Options = {}): Promise<string[]> {
  const migrations = listMigrations(migrationsFolder);
  const sql = openClient(url, {
    max: 1,
    fetch_types: false,
    prepare: false,
    onnotice: () => undefined,
    connect_timeout: 10,
    connection: { TimeZone: "UTC", application_name: "imprint-migrate" },
  });
  try {
    await refuseOldServer(sql);
    const pending = await readPending(sql, migrations);
    if (pending.length === 0) return [];
    if (pending.length === migrations.length) await refuseForeignTables(sql);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await applyPending(sql, migrations, { ...options, url });
      } catch (error) {
        if (attempt === TABLE_ATTEMPTS || !isLockFailure(error)) throw error;
        await delay(TABLE_PAUSE_MS);
      }
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Names of the migrations of this version that the database lacks. */
export async function missingMigrations(pool: postgres.Sql, migrationsFolder: string): Promise<string[]> {
  const applied = new Set((await readApplied(pool)).map(({ when }) => when));
  return listMigrations(migrationsFolder)
    .filter(({ when }) => !applied.has(when))
    .map(({ name }) => name);
}

/** Whether every migration of this version is applied. */
export async function isMigrated(pool: postgres.Sql, migrationsFolder: string): Promise<boolean> {
  return (await missingMigrations(pool, migrationsFolder)).length === 0;
}
