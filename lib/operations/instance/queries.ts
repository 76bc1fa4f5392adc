import { asc, sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";

import type { Db } from "@/db/client";
import { secretChecks } from "@/db/schema";
import { OLDEST_TRANSACTION_SECONDS } from "@/lib/operations/backup";
import type { ServerState } from "./domain/server-state";

/**
 * Advisory lock of the secret checks: when processes with different secrets start for the first time concurrently, only
 * one wins.
 */
const SECRETS_LOCK = 727278;

export async function lockSecretChecks(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${SECRETS_LOCK})`);
}

type SecretCheck = { secretId: string; checkValue: Uint8Array };

/** Stores checks of new secrets. */
export async function insertSecretChecks(db: Db, checks: SecretCheck[]): Promise<void> {
  await db.insert(secretChecks).values(checks).onConflictDoNothing();
}

export function listSecretChecks(db: Db): Promise<SecretCheck[]> {
  return db
    .select({ secretId: secretChecks.secretId, checkValue: secretChecks.checkValue })
    .from(secretChecks)
    .orderBy(asc(secretChecks.secretId));
}

/** Those of a database that may not have been migrated yet. */
export async function listSecretChecksIfAny(db: Db): Promise<SecretCheck[]> {
  const [table] = await db.execute<{ name: string | null }>(sql`select to_regclass('secret_checks')::text as name`);
  return table?.name == null ? [] : await listSecretChecks(db);
}

export async function deleteSecretCheck(tx: Db, secretId: string): Promise<boolean> {
  const rows = await tx
    .delete(secretChecks)
    .where(sql`${secretChecks.secretId} = ${secretId}`)
    .returning({ secretId: secretChecks.secretId });
  return rows.length > 0;
}

export async function readServer(db: Db): Promise<{ version: string; epochMs: number }> {
  const [row] = await db.execute<{ version: string; epoch_ms: string }>(
    sql`select current_setting('server_version') as version, extract(epoch from clock_timestamp()) * 1000 as epoch_ms`,
  );
  if (!row) throw new Error("the database did not return its version");
  return { version: row.version, epochMs: Number(row.epoch_ms) };
}

/** Maximum connections of ordinary roles. */
export async function readMaxConnections(db: Db): Promise<number> {
  const [row] = await db.execute<{ most: number }>(
    sql`select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
  );
  if (!row) throw new Error("the database did not return its connections");
  return row.most;
}

/** How many migrations are applied, and how many this version has. */
export async function countMigrations(db: Db, migrationsFolder: string): Promise<{ applied: number; known: number }> {
  const known = readMigrationFiles({ migrationsFolder }).length;
  const [table] = await db.execute<{ name: string | null }>(
    sql`select to_regclass('drizzle.__drizzle_migrations')::text as name`,
  );
  if (!table?.name) return { applied: 0, known };
  const [row] = await db.execute<{ applied: number }>(
    sql`select count(*)::int as applied from drizzle.__drizzle_migrations`,
  );
  return { applied: row?.applied ?? 0, known };
}

/** Records an observation with the current time. */
export async function upsertNote(db: Db, name: string): Promise<void> {
  await db.execute(sql`
    insert into instance_notes (name, noted_at) values (${name}, clock_timestamp())
    on conflict (name) do update set noted_at = excluded.noted_at`);
}

/** Whether the observation was recorded within the last `hours`. */
export async function hasRecentNote(db: Db, name: string, hours: number): Promise<boolean> {
  const rows = await db.execute(sql`
    select 1 from instance_notes where name = ${name} and noted_at > clock_timestamp() - make_interval(hours => ${hours})`);
  return rows.length > 0;
}

/**
 * Reads the server's settings and what blocks vacuum and write-ahead log removal, as far as the service's role may see
 * it.
 */
export async function readServerState(db: Db): Promise<ServerState> {
  const [row] = await db.execute<ServerState>(sql`
    select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
      current_setting('full_page_writes') as full_page_writes, current_setting('autovacuum') as autovacuum,
      current_setting('track_counts') as track_counts, pg_is_in_recovery() as is_standby,
      current_setting('transaction_read_only') = 'on' as is_read_only,
      ${OLDEST_TRANSACTION_SECONDS} as oldest_transaction_seconds,
      pg_has_role('pg_read_all_stats', 'usage') as sees_all_sessions,
      (select count(*)::int from pg_prepared_xacts) as prepared_transactions,
      coalesce((select string_agg(slot_name, ', ' order by slot_name) from pg_replication_slots where not active), '') as idle_slots,
      coalesce((select max(case when pg_is_in_recovery() then 0
        else pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) end) from pg_replication_slots where not active), 0) as slot_bytes`);
  if (!row) throw new Error("the database did not return its settings");
  return row;
}

/** Tries a write that grows a table, and rolls it back. @throws the database's error if it refuses */
export async function tryWrite(db: Db): Promise<void> {
  const undo = new Error("taken back");
  await db
    .transaction(async (tx) => {
      await tx.execute(sql`
        insert into instance_notes (name, noted_at)
        select 'doctor-' || n || repeat('x', 400), clock_timestamp() from generate_series(1, 50) n`);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
}
