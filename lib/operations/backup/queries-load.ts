import type { Writable } from "node:stream";

import type postgres from "postgres";

import { namesOfService } from "@/db/older-service";
import { AppError } from "@/lib/contract/errors";
import type { Sequence, Table } from "./manifest";
import { connectForBackup, listMigrations, listTables } from "./queries-snapshot";
import { failWhenStalled } from "./stall";

/** Tables that the service fills at startup before it is set up. */
const FILLED_BY_A_START = new Set(
  ["jobs", "secret_checks", "setup_links", "instance_notes"].map((name) => `public.${name}`),
);

const conflict = (message: string) => new AppError("conflict", { message });

async function refuseRunningService(client: postgres.Sql, url: string): Promise<void> {
  const [found] = await client`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name in ${client(namesOfService(url))} limit 1`;
  if (found) throw conflict("A service is using this database: stop every process of it, then restore.");
}

/** @throws AppError `conflict` if the database contains any user data */
async function refuseFilled(client: postgres.Sql): Promise<void> {
  const tables = await listTables(client);
  if (tables.length > 0 && (await listMigrations(client)).length === 0)
    throw conflict(
      `The database contains tables that are not Imprint's, such as ${tables[0]?.name}. Restore into an empty database.`,
    );
  for (const { name, isUnlogged } of tables) {
    if (isUnlogged || FILLED_BY_A_START.has(name)) continue;
    const [row] = await client.unsafe(`select 1 from ${name} limit 1`);
    if (row)
      throw conflict(
        `The database is not empty: ${name} has rows. A backup is restored into an empty installation: a DATA_DIR that does not exist yet, or an empty database in DATABASE_URL.`,
      );
  }
}

/** Objects of extensions are kept. */
const CLEAR = `
  do $$
  declare each record;
  begin
    for each in
      with spaces as (select oid, nspname from pg_namespace where nspname in ('public', 'drizzle')),
      kept as (select classid, objid from pg_depend where deptype = 'e')
      select case c.relkind when 'S' then 2 else 1 end as rank, format('drop %s if exists %I.%I cascade',
        case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
        s.nspname, c.relname) as statement
      from pg_class c join spaces s on s.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'S') and not exists (
        select 1 from kept where classid = 'pg_class'::regclass and objid = c.oid)
      union all
      select 3, format('drop routine if exists %s cascade', p.oid::regprocedure)
      from pg_proc p join spaces s on s.oid = p.pronamespace
      where not exists (select 1 from kept where classid = 'pg_proc'::regclass and objid = p.oid)
      union all
      select 4, format('drop type if exists %I.%I cascade', s.nspname, t.typname)
      from pg_type t join spaces s on s.oid = t.typnamespace
      where t.typtype in ('e', 'd') and not exists (
        select 1 from kept where classid = 'pg_type'::regclass and objid = t.oid)
      order by 1
    loop
      execute each.statement;
    end loop;
  end $$`;

/**
 * Checks that a backup may be loaded, and drops the empty tables that the service created at startup.
 *
 * @throws AppError `conflict` if the database is in use or not empty
 */
export async function clearForRestore(url: string): Promise<void> {
  const client = connectForBackup(url);
  try {
    await refuseRunningService(client, url);
    await refuseFilled(client);
    await client.unsafe(CLEAR);
  } finally {
    await client.end({ timeout: 5 });
  }
}

type Loader = {
  open: (tables: readonly Table[]) => Promise<void>;
  write: (table: Table, lines: Buffer) => Promise<void>;
  /** @throws Error if the server did not store every row */
  finish: (table: Table, rows: number) => Promise<void>;
  close: (sequences: readonly Sequence[]) => Promise<void>;
};

const SETTINGS = `
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local lock_timeout = '15s';
  set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres';
  set local maintenance_work_mem = '256MB'`;

type Statements = { remove: string; restore: string };

/** Foreign keys may be cyclic, and indexes are built faster once all rows are loaded. */
const listRebuilt = (tx: postgres.TransactionSql) => tx<Statements[]>`
  select format('drop index %I.%I', n.nspname, c.relname) as remove,
    regexp_replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ') as restore, 1 as rank
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and not c.relispartition
    and not exists (select 1 from pg_constraint k where k.conindid = c.oid)
    and not exists (select 1 from pg_depend d where d.objid = i.indrelid and d.deptype = 'e')
  union all
  select format('alter table %s drop constraint %I', conrelid::regclass, conname),
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)), 2
  from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
  order by rank`;

async function removeRebuilt(tx: postgres.TransactionSql): Promise<string[]> {
  const rebuilt = await listRebuilt(tx);
  // Foreign keys first, since one may depend on a unique index.
  for (const { remove } of [...rebuilt].reverse()) await tx.unsafe(remove);
  return rebuilt.map(({ restore }) => restore);
}

/** User triggers would change or duplicate what the rows already contain. */
async function switchTriggers(tx: postgres.TransactionSql, to: "enable" | "disable"): Promise<void> {
  const found = await tx<{ name: string }[]>`
    select distinct tgrelid::regclass::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not tgisinternal and c.relnamespace = 'public'::regnamespace and tgparentid = 0`;
  for (const { name } of found) await tx.unsafe(`alter table ${name} ${to} trigger user`);
}

/**
 * Reports why the server refused the rows of a COPY. The driver rejects the statement, whose promise was fulfilled with
 * the stream long before, and no statement after it is told more than that the transaction has failed.
 */
function onRefusal(statement: object, note: (reason: unknown) => void): void {
  const reject: unknown = Reflect.get(statement, "reject");
  Reflect.set(statement, "reject", (reason: unknown) => {
    note(reason);
    if (typeof reject === "function") Reflect.apply(reject, statement, [reason]);
  });
}

function loaderOf(tx: postgres.TransactionSql): Loader {
  let rebuild: string[] = [];
  let open: { stream: Writable; touch: () => void } | undefined;
  let refusal: unknown;
  const giveReason = (error: unknown) => {
    throw refusal ?? error;
  };
  const streamFor = async ({ name, columns }: Table) => {
    // FREEZE, so that vacuum need not visit the rows again to mark them as visible.
    const copy = tx.unsafe(`copy ${name} (${columns.join(", ")}) from stdin with (freeze)`);
    onRefusal(copy, (reason) => (refusal ??= reason));
    const stream = await copy.writable();
    // write() and finish() receive the error; without a handler, an error on an idle stream would crash the process.
    stream.on("error", () => undefined);
    return { stream, ...failWhenStalled(stream, `loading ${name}`) };
  };
  return {
    async open(tables) {
      await tx.unsafe(SETTINGS);
      rebuild = await removeRebuilt(tx);
      for (const { name, partition } of tables)
        if (partition)
          await tx.unsafe(`create table if not exists ${name} partition of ${partition.of} ${partition.bounds}`);
      await switchTriggers(tx, "disable");
      // COPY with FREEZE requires a truncate in the same transaction; a migration may have inserted rows.
      await tx.unsafe(`truncate ${tables.map(({ name }) => name).join(", ")}`);
    },
    async write(table, lines) {
      open ??= await streamFor(table);
      const { stream, touch } = open;
      await new Promise<void>((resolve, reject) => {
        stream.once("error", reject);
        stream.write(lines, (error) => {
          stream.off("error", reject);
          if (error) reject(error);
          else resolve();
        });
      }).catch(giveReason);
      touch();
    },
    async finish({ name }, rows) {
      const ending = open?.stream;
      open = undefined;
      ending?.end();
      // The driver never settles a stream whose last rows are refused, but the next statement then fails.
      const [counted] = await tx.unsafe<{ rows: string }[]>(`select count(*) as rows from ${name}`).catch(giveReason);
      if (Number(counted?.rows) !== rows) throw new Error(`${name} has ${counted?.rows} rows instead of ${rows}`);
    },
    async close(sequences) {
      for (const { name, lastValue, isCalled } of sequences)
        await tx`select setval(${name}::regclass, ${lastValue}::bigint, ${isCalled})`;
      await tx.unsafe("set constraints all immediate");
      await switchTriggers(tx, "enable");
      for (const statement of rebuild) await tx.unsafe(statement);
    },
  };
}

export type OpenLoader = Loader & {
  /** Commits what was loaded. */
  commit: () => Promise<void>;
  /** Collects statistics, after `commit`: the planner needs them from the first request on. */
  analyze: () => Promise<void>;
  /** Rolls back; does nothing after `commit`. */
  abort: () => Promise<void>;
};

/** Opens the single transaction that loads either the whole backup or nothing. */
export async function openLoader(url: string): Promise<OpenLoader> {
  const client = connectForBackup(url);
  let keep: (() => void) | undefined;
  let drop: ((reason: Error) => void) | undefined;
  const decided = new Promise<void>((resolve, reject) => {
    [keep, drop] = [resolve, reject];
  });
  let transaction: Promise<unknown> = Promise.resolve();
  const loader = await new Promise<Loader>((resolve, reject) => {
    transaction = client.begin((tx) => {
      resolve(loaderOf(tx));
      return decided;
    });
    transaction.catch(reject);
  });
  return {
    ...loader,
    async commit() {
      keep?.();
      await transaction;
    },
    async analyze() {
      await client.unsafe("set statement_timeout = 0").simple();
      await client.unsafe("analyze").simple();
      await client.end({ timeout: 5 });
    },
    async abort() {
      // During a COPY no statement would be answered; closing the connection makes the server roll back.
      const ended = client.end({ timeout: 0 });
      drop?.(new Error("the restore was aborted"));
      await transaction.catch(() => undefined);
      await ended;
    },
  };
}
