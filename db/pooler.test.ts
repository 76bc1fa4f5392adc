import { randomBytes } from "node:crypto";

import { sql } from "drizzle-orm";
import postgres from "postgres";
import { describe, expect, onTestFinished, test } from "vitest";

import { connect } from "./client";
import { migrateDatabase } from "./migrate";
import { statement } from "./prepared";
import { SESSION_SETTINGS, trySessions } from "./session-settings";
import { asAdministrator, createDatabase } from "@/test/database";
import { startPgBouncer } from "@/test/pgbouncer";

const IGNORED = `ignore_startup_parameters = ${Object.keys(SESSION_SETTINGS).join(",")}`;

const newDatabase = () => createDatabase(`pooled_${randomBytes(8).toString("hex")}`);

async function openPooler(settings: readonly string[], url?: string) {
  const databaseUrl = url ?? (await newDatabase());
  const pooler = await startPgBouncer({ databaseUrl, settings });
  onTestFinished(pooler.stop);
  return { databaseUrl, ...pooler };
}

const double = statement<{ doubled: number }>(sql`select ${sql.placeholder("number")}::int * 2 as doubled`);

describe.each([
  ["rejects session settings", [], "refused"],
  ["ignores session settings", [IGNORED], "ignored"],
] as const)("PgBouncer in transaction mode that %s", (_what, settings, use) => {
  test("is recognised, and migrations run through it repeatedly", async () => {
    const { url, databaseUrl } = await openPooler(settings);
    expect(await trySessions(url)).toEqual({ settings: use, haveDeadline: false });
    expect(await trySessions(databaseUrl)).toEqual({ settings: "applied", haveDeadline: true });
    const applied = await Promise.all([1, 2, 3].map(() => migrateDatabase(url, "db/migrations")));
    expect(applied.filter(({ length }) => length > 0)).toHaveLength(1);
    expect(await migrateDatabase(url, "db/migrations")).toEqual([]);
    const direct = postgres(databaseUrl, { max: 1, fetch_types: false });
    // Other databases of the server belong to other tests.
    const locks = await direct`
      select 1 from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and d.datname = current_database()`;
    expect(locks).toHaveLength(0);
    await direct.end();
  });

  test("uses the role's statement timeout", async () => {
    const databaseUrl = await newDatabase();
    const direct = postgres(databaseUrl, { max: 1, fetch_types: false });
    const name = direct(new URL(databaseUrl).pathname.slice(1));
    await direct`alter role current_user in database ${name} set statement_timeout = 4500`;
    await direct.end();
    const { url } = await openPooler(settings, databaseUrl);
    expect(await trySessions(url)).toEqual({ settings: use, haveDeadline: true });
  });

  test("is refused with a remedy while the server formats values in a way the service cannot parse", async () => {
    const databaseUrl = await newDatabase();
    const name = new URL(databaseUrl).pathname.slice(1);
    await asAdministrator(`alter database ${name} set datestyle = 'German, DMY'`);
    await asAdministrator(`alter database ${name} set bytea_output = 'escape'`);
    const { url } = await openPooler(settings, databaseUrl);
    await expect(trySessions(url)).rejects.toThrow(/bytea_output = escape.*alter role ROLE in database NAME set/);
    // A pooler tracks DateStyle and forwards the client's value.
    expect(await trySessions(databaseUrl)).toEqual({ settings: "applied", haveDeadline: true });
  });

  test("answers many concurrent clients, each with its own answer", async () => {
    const { url } = await openPooler(settings);
    const hasSettings = use !== "refused";
    const clients = Array.from({ length: 3 }, () =>
      connect({ url, poolSize: 6, prepare: false, hasSettings, applicationName: "test" }),
    );
    onTestFinished(async () => {
      await Promise.all(clients.map(({ close }) => close()));
    });
    const answers = await Promise.all(
      Array.from({ length: 600 }, async (_, number) => {
        const { db } = clients[number % clients.length] ?? { db: undefined };
        if (!db) throw new Error("no client");
        if (number % 10 === 0)
          return await db.transaction(async (tx) => {
            await tx.execute(sql`select set_config('imprint.number', ${String(number)}, true)`);
            // In a savepoint, whose statement is sent by the driver itself.
            return await tx.transaction(async (inner) => {
              const [row] = await inner.execute<{ at: string }>(sql`select current_setting('imprint.number') as at`);
              return Number(row?.at);
            });
          });
        const [row] = await double(db, { number });
        return (row?.doubled ?? Number.NaN) / 2;
      }),
    );
    expect(answers).toEqual(answers.map((_, number) => number));
  });

  test("never mixes the statements of two clients that share a server connection", async () => {
    const { url } = await openPooler(settings);
    const hasSettings = use !== "refused";
    const clients = Array.from({ length: 3 }, () =>
      connect({ url, poolSize: 1, prepare: false, hasSettings, applicationName: "test" }),
    );
    onTestFinished(async () => {
      await Promise.all(clients.map(({ close }) => close()));
    });
    // A query without parameters is sent whole, so the driver could start the next one before its answer.
    const answers = await Promise.all(
      Array.from({ length: 900 }, async (_, number) => {
        const { db } = clients[number % clients.length] ?? { db: undefined };
        if (!db) throw new Error("no client");
        if (number % 2 === 0) {
          const [row] = await db.execute<{ at: number }>(sql.raw(`select ${number} as at`));
          return row?.at;
        }
        const [bytes, text] = [Buffer.from([number % 256]), String(number)];
        const [row] = await db.execute<{ at: string }>(
          number % 3 === 0
            ? sql`select ${text}::text as at where length(${bytes}::bytea) = 1`
            : sql`select ${text}::text as at where ${"00000000-0000-7000-8000-000000000000"}::uuid is not null`,
        );
        return Number(row?.at);
      }),
    );
    expect(answers).toEqual(answers.map((_, number) => number));
  });
});
