import type { Readable } from "node:stream";

import { sql } from "drizzle-orm";
import type postgres from "postgres";

import { openClient } from "@/db/open-client";
import type { Db } from "@/db/client";
import type { Manifest, Sequence, Table } from "./manifest";

/** Advisory lock held in shared mode during a backup; jobs check it before they drop partitions. */
const BACKUP_LOCK = 727280;
const APPLICATION_NAME = "imprint-backup";
/** Maximum wait for another session's schema change. */
const LOCK_TIMEOUT_MS = 15_000;

export const connectForBackup = (url: string) =>
  openClient(url, {
    max: 1,
    fetch_types: false,
    connect_timeout: 10,
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => undefined,
    connection: { application_name: APPLICATION_NAME },
  });

type Client = postgres.Sql | postgres.TransactionSql;

/** Lists tables that store rows, with what is needed to load them again; without the migrations table. */
export const listTables = (client: Client) =>
  client<(Table & { isUnlogged: boolean })[]>`
    select format('%I.%I', n.nspname, c.relname) as name,
      pg_table_size(c.oid)::float8 as "diskBytes",
      c.relpersistence = 'u' as "isUnlogged",
      (select coalesce(json_agg(quote_ident(a.attname) order by a.attnum), '[]') from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select json_build_object('of', format('%I.%I', pn.nspname, p.relname), 'bounds', pg_get_expr(c.relpartbound, c.oid))
        from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_namespace pn on pn.oid = p.relnamespace
        where i.inhrelid = c.oid and c.relispartition) as partition
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'drizzle') and c.relpersistence <> 't'
      and (n.nspname, c.relname) <> ('drizzle', '__drizzle_migrations')
      and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`;

/** Lists the database's applied migrations in order; empty if it was not created by Imprint. */
export async function listMigrations(client: Client): Promise<Manifest["migrations"]> {
  const [table] = await client`select to_regclass('drizzle.__drizzle_migrations') as name`;
  if (!table?.["name"]) return [];
  return await client<{ at: number; hash: string }[]>`
    select created_at::float8 as at, hash from drizzle.__drizzle_migrations order by created_at`;
}

/** Values may be ahead of the rows, since sequences are not part of a snapshot. */
async function listSequences(client: Client): Promise<Sequence[]> {
  const found = await client<{ name: string }[]>`
    select format('%I.%I', schemaname, sequencename) as name from pg_sequences where schemaname = 'public' order by 1`;
  const sequences: Sequence[] = [];
  for (const { name } of found) {
    const [row] = await client.unsafe<{ lastValue: string; isCalled: boolean }[]>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${name}`,
    );
    if (row) sequences.push({ name, lastValue: row.lastValue, isCalled: row.isCalled });
  }
  return sequences;
}

export type Snapshot = {
  postgres: string;
  /** Size up to which the server's log may grow between checkpoints. */
  logBytes: number;
  /** The server's process that reads the rows. */
  serverPid: number;
  migrations: Manifest["migrations"];
  tables: Table[];
  /** Streams the rows of a table in COPY format. */
  read: (table: Table) => Promise<Readable>;
  readSequences: () => Promise<Sequence[]>;
};

/**
 * Streams the rows of a COPY. The driver pauses the connection for a slow reader and resumes it on the next read, which
 * does not happen at the end of the stream: without this extra read the next statement would wait forever.
 */
async function readCopy(tx: postgres.TransactionSql, statement: string): Promise<Readable> {
  const rows = await tx.unsafe(statement).readable();
  rows.once("end", () => {
    rows._read(0);
  });
  return rows;
}

const SETTINGS = `
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local lock_timeout = ${LOCK_TIMEOUT_MS};
  set local synchronize_seqscans = off;
  set local row_security = off;
  set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres';
  set local bytea_output = 'hex';
  set local extra_float_digits = 1;
  set local search_path = pg_catalog`;

async function readSnapshot<T>(client: postgres.Sql, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const known = await listTables(client);
  let failure: unknown;
  const transaction = client.begin("isolation level repeatable read, read only", async (tx) => {
    await tx.unsafe(SETTINGS);
    // Locked before the first query takes the snapshot, so that nobody can alter or drop these tables. The lock blocks
    // no readers or writers; for partitioned tables, only the partitions are locked.
    for (const { name } of known) await tx.unsafe(`lock table only ${name} in access share mode`);
    await tx`select pg_advisory_xact_lock_shared(${BACKUP_LOCK})`;
    const [server] = await tx<{ version: string; logBytes: number; serverPid: number }[]>`
      select current_setting('server_version') as version, pg_backend_pid() as "serverPid",
        pg_size_bytes(current_setting('max_wal_size'))::float8 as "logBytes"`;
    const tables = await listTables(tx);
    const snapshot: Snapshot = {
      postgres: server?.version ?? "",
      logBytes: server?.logBytes ?? 0,
      serverPid: server?.serverPid ?? 0,
      migrations: await listMigrations(tx),
      // Unlogged tables are lost in a crash, so nothing depends on them.
      tables: tables
        .filter(({ isUnlogged }) => !isUnlogged)
        .map(({ name, columns, partition, diskBytes }) => ({ name, columns, partition, diskBytes })),
      read: ({ name, columns }) => readCopy(tx, `copy ${name} (${columns.join(", ")}) to stdout`),
      readSequences: () => listSequences(tx),
    };
    try {
      return await work(snapshot);
    } catch (error) {
      failure = error;
      // In the middle of a COPY no statement would be answered: the server ends the transaction with the connection.
      void client.end({ timeout: 0 });
      throw error;
    }
  });
  return (await transaction.catch((error: unknown) => {
    // Report the original error, not the closed connection that resulted from it.
    throw failure ?? error;
  })) as T;
}

const TABLE_IS_GONE = "42P01";

/** Reads all tables as of one instant, in one transaction. Partitions that are dropped while it starts are left out. */
export async function withSnapshot<T>(url: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const client = connectForBackup(url);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await readSnapshot(client, work);
      } catch (error) {
        const isGone = error instanceof Error && "code" in error && error.code === TABLE_IS_GONE;
        if (!isGone || attempt === 3) throw error;
      }
    }
  } finally {
    await client.end({ timeout: 5 });
  }
}

/** Whether any process is backing up this database. */
export async function isBackupRunning(db: Db): Promise<boolean> {
  const [row] = await db.execute<{ isRunning: boolean }>(sql`
    select exists (
      select 1 from pg_locks where locktype = 'advisory' and objid = ${BACKUP_LOCK} and granted
        and database = (select oid from pg_database where datname = current_database())
    ) as "isRunning"`);
  return row?.isRunning ?? false;
}

/**
 * Age in seconds of the oldest transaction of another session, 0 if there is none. Those of backups do not count: they
 * take as long as the data, and end if they make no progress.
 */
export const OLDEST_TRANSACTION_SECONDS = sql`
  coalesce((select extract(epoch from clock_timestamp() - min(xact_start)) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()
      and application_name <> ${APPLICATION_NAME}), 0)::float8`;
