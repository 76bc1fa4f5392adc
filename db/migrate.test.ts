import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";

import { connectPool } from "./client";
import { isMigrated, migrateDatabase, missingMigrations } from "./migrate";
import { listMigrations, STOP_FIRST } from "./migration-list";
import { SERVICE_CONNECTIONS } from "./older-service";
import { createDatabase, createTestDatabase } from "@/test/database";

const MIGRATIONS = "db/migrations";
const { pool, url } = await createTestDatabase();

async function tables(): Promise<number | undefined> {
  const [row] = await pool<{ count: number }[]>`select count(*)::int as count from pg_class where relkind = 'r'`;
  return row?.count;
}

test("a database of this version is left unchanged", async () => {
  const before = await tables();
  await migrateDatabase(url, MIGRATIONS);
  expect(await isMigrated(pool, MIGRATIONS)).toBe(true);
  expect(await tables()).toBe(before);
});

test("a database of a newer version is refused with a remedy", async () => {
  await pool`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 4102444800000)`;
  await expect(migrateDatabase(url, MIGRATIONS)).rejects.toThrow(/newer version .* Start that version/);
  await pool`delete from drizzle.__drizzle_migrations where hash = 'later'`;
});

test("a database created with migrations that were later edited is refused instead of being upgraded incorrectly", async () => {
  const [first] = await pool<{ hash: string }[]>`select hash from drizzle.__drizzle_migrations order by id limit 1`;
  await pool`update drizzle.__drizzle_migrations set hash = 'edited' where hash = ${first?.hash ?? ""}`;
  await expect(migrateDatabase(url, MIGRATIONS)).rejects.toThrow(/unreleased state/);
  await pool`update drizzle.__drizzle_migrations set hash = ${first?.hash ?? ""} where hash = 'edited'`;
  await migrateDatabase(url, MIGRATIONS);
});

/** Creates an empty database, and a folder with this version's migrations plus another one. */
async function prepare(statements: string, tag = "9999_next") {
  const folder = mkdtempSync(join(tmpdir(), "imprint-migrations-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  cpSync(MIGRATIONS, folder, { recursive: true });
  const file = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8")) as { entries: object[] };
  journal.entries.push({ idx: journal.entries.length, version: "7", when: 4102444800000, tag, breakpoints: true });
  writeFileSync(file, JSON.stringify(journal));
  writeFileSync(join(folder, `${tag}.sql`), statements);
  const database = await createDatabase(`migrated_${randomBytes(8).toString("hex")}`);
  const client = postgres(database, { max: 2, fetch_types: false, onnotice: () => undefined });
  return { folder, database, client };
}

test.each([
  [
    "tables",
    "create table orders (id int); create table users (id int)",
    /^The database foreign_\w+ has tables of another program.*: orders, users\. Nothing was changed\./,
  ],
  [
    "migrations",
    "create schema drizzle; create table drizzle.__drizzle_migrations (id serial, hash text, created_at bigint); insert into drizzle.__drizzle_migrations (hash, created_at) values ('theirs', 1700000000000)",
    /^The database has the migrations of another program\. Nothing was changed\./,
  ],
])("a database with the %s of another program is refused by name, and left as it was", async (_what, fill, refusal) => {
  const database = await createDatabase(`foreign_${randomBytes(8).toString("hex")}`);
  const client = postgres(database, { max: 1, fetch_types: false, onnotice: () => undefined });
  await client.unsafe(fill);
  const objects = () =>
    client`select relname from pg_class where relnamespace::regnamespace::text in ('public', 'drizzle') order by 1`;
  const before = await objects();
  await expect(migrateDatabase(database, MIGRATIONS)).rejects.toThrow(refusal);
  expect(await objects()).toEqual(before);
  await client.end();
});

test("a failing migration reports its name, its statement, the cause and a remedy, and changes nothing", async () => {
  const broken = "create table extra (id int);--> statement-breakpoint\nalter table visits\n  add column report text;";
  const { folder, database, client } = await prepare(broken);
  await migrateDatabase(database, MIGRATIONS);
  const failure = await migrateDatabase(database, folder).catch(String);
  expect(failure).toBe(
    `Error: The migration 9999_next failed at statement 2 of 2: column "report" of relation "visits" already exists (42701).
  alter table visits add column report text;
Nothing was changed. The schema was changed by hand: restore a backup, or undo that change.`,
  );
  expect((await client`select to_regclass('extra')::text as name`)[0]?.["name"]).toBeNull();
  expect(await missingMigrations(client, folder)).toEqual(["9999_next"]);
  await client.end();
});

test("a read-only server has its own remedy", async () => {
  const { database, client } = await prepare("select 1;");
  const name = client(new URL(database).pathname.slice(1));
  await client`alter role current_user in database ${name} set default_transaction_read_only = on`;
  await client.end();
  await expect(migrateDatabase(database, MIGRATIONS)).rejects.toThrow(/read-only/);
});

test("once all migrations are applied, a start does not wait for a session that holds the lock", async () => {
  const { database, client } = await prepare("select 1;");
  await migrateDatabase(database, MIGRATIONS);
  await client`select pg_advisory_lock(727274)`;
  expect(await migrateDatabase(database, MIGRATIONS)).toEqual([]);
  await client.end();
});

test("of processes that start at the same time, one migrates", async () => {
  const { database, client } = await prepare("select 1;");
  const names = listMigrations(MIGRATIONS).map(({ name }) => name);
  const applied = await Promise.all([1, 2, 3].map(() => migrateDatabase(database, MIGRATIONS)));
  expect(applied.map(({ length }) => length).sort((a, b) => a - b)).toEqual([0, 0, names.length]);
  await client.end();
});

test("a migration statement that would block the service gives up its lock and is retried", async () => {
  const { folder, database, client } = await prepare("alter table jobs add column extra int;");
  await migrateDatabase(database, MIGRATIONS);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let hasRead = false;
  const reading = client.begin(async (sql) => {
    await sql`select count(*) from jobs`;
    hasRead = true;
    await released;
  });
  await expect.poll(() => hasRead).toBe(true);
  const migrating = migrateDatabase(database, folder);
  const waiting = async () => {
    const [row] = await client<{ count: number }[]>`
      select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database
      where not granted and datname = current_database()`;
    return row?.count;
  };
  await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
  await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
  release();
  await reading;
  expect(await migrating).toEqual(["9999_next"]);
  await client.end();
});

test("a migration that deadlocks with a transaction of the service is retried", async () => {
  const change =
    "alter table jobs add column extra int;--> statement-breakpoint\nalter table instance_notes add column extra int;";
  const { folder, database, client } = await prepare(change);
  await migrateDatabase(database, MIGRATIONS);
  const waiting = async (mode: string) => {
    const [row] = await client<{ count: number }[]>`
      select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database
      where not granted and mode = ${mode} and datname = current_database()`;
    return row?.count;
  };
  const migrating: Promise<string[]>[] = [];
  await client.begin(async (sql) => {
    await sql`select count(*) from instance_notes`;
    migrating.push(migrateDatabase(database, folder));
    await expect.poll(() => waiting("AccessExclusiveLock"), { timeout: 10_000 }).toBe(1);
    // The server ends the transaction that has waited longer: the migration's.
    await sql`select count(*) from jobs`;
  });
  expect(await Promise.all(migrating)).toEqual([["9999_next"]]);
  await client.end();
});

test.each([
  ["by the service's name", "", SERVICE_CONNECTIONS],
  ["by the name in DATABASE_URL, which earlier releases took", "?application_name=shop", "shop"],
])(
  "a migration that the previous release cannot run with is refused while that release runs, %s",
  async (_how, parameters, name) => {
    const [tag = ""] = Object.keys(STOP_FIRST);
    const { database } = await prepare("select 1;");
    await migrateDatabase(database, MIGRATIONS);
    const client = postgres(database, { max: 1, fetch_types: false, onnotice: () => undefined });
    const [stopping] = listMigrations(MIGRATIONS).filter(({ name }) => name === tag);
    await client`create table device_claims (id int)`;
    await client`create table device_keys (id int)`;
    await client`delete from drizzle.__drizzle_migrations where hash = ${stopping?.hash ?? ""}`;
    const service = connectPool({ url: database, poolSize: 1, prepare: false, applicationName: name });
    await service`select 1`;
    await expect(migrateDatabase(database + parameters, MIGRATIONS, { waitMs: 300 })).rejects.toThrow(
      /Stop every process of the older version first: the migration 0003_drop_device_keys .* drops tables/,
    );
    expect(await missingMigrations(client, MIGRATIONS)).toEqual([tag]);
    await service.end();
    expect(await migrateDatabase(database + parameters, MIGRATIONS)).toEqual([tag]);
    await client.end();
  },
);

test("only existing migrations are listed as needing a stop", () => {
  const names = listMigrations(MIGRATIONS).map(({ name }) => name);
  expect(Object.keys(STOP_FIRST).filter((name) => !names.includes(name))).toEqual([]);
});
