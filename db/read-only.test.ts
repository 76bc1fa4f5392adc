import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";

import { asAdministrator, createTestDatabase } from "@/test/database";
import { connect, type Db, isDatabaseUnavailable } from "./client";
import { isReadOnly } from "./failures";
import { statement } from "./prepared";
import { createWriteCheck } from "./writable";

const { name, url } = await createTestDatabase();
const readOne = statement<{ one: number }>(sql`select 1 as one`);
const note = (db: Db, what: string) =>
  db.execute(sql`insert into instance_notes (name, noted_at) values (${what}, clock_timestamp())`);
const failureOf = async (work: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error;
  }
};

/** Opens connections to a read-only server; connections opened after `promote` can write, as after a failover. */
async function connectToReader() {
  await asAdministrator(`alter database ${name} set default_transaction_read_only = on`);
  const connection = connect({ url, poolSize: 4, prepare: true, applicationName: name });
  onTestFinished(connection.close);
  return connection;
}
const promote = () => asAdministrator(`alter database ${name} set default_transaction_read_only = off`);

test("connections of every kind move from a read-only server to its successor", async () => {
  const connection = await connectToReader();
  const { db } = connection;
  const isWritable = createWriteCheck(connection);
  await Promise.all([...Array.from({ length: 20 }, () => readOne(db)), db.execute(sql`select 1`)]);
  await promote();
  expect(isReadOnly(await failureOf(isWritable()))).toBe(true);
  const settings = statement<{ mode: string }>(
    sql`select current_setting('transaction_read_only') as mode, pg_sleep(0.02)`,
  );
  const modes = await Promise.all(Array.from({ length: 20 }, () => settings(db)));
  expect(new Set(modes.flat().map(({ mode }) => mode))).toEqual(new Set(["off"]));
  expect(await isWritable()).toBe(false);
  await expect.poll(isWritable, { timeout: 5_000 }).toBe(true);
  await db.transaction((tx) => note(tx, "in a transaction"));
});

test("after a failover detected by another statement, the write check passes once all connections are new", async () => {
  const connection = await connectToReader();
  const { db } = connection;
  await Promise.all(Array.from({ length: 20 }, () => readOne(db)));
  expect(isReadOnly(await failureOf(note(db, "refused")))).toBe(true);
  await Promise.all(Array.from({ length: 20 }, () => readOne(db)));
  await promote();
  const isWritable = createWriteCheck(connection);
  await expect
    .poll(() => failureOf(isWritable()).then((failure) => failure === undefined), { timeout: 5_000 })
    .toBe(true);
  await expect.poll(isWritable, { timeout: 5_000 }).toBe(true);
  const writes = Array.from({ length: 20 }, (_, index) => failureOf(note(db, `after ${index}`)));
  expect((await Promise.all(writes)).filter((failure) => failure !== undefined)).toEqual([]);
});

test("while connections are renewed, reads are answered and writes are refused as unavailable", async () => {
  const { db } = await connectToReader();
  await Promise.all(Array.from({ length: 20 }, () => readOne(db)));
  const work = Array.from({ length: 200 }, async (_, index) =>
    index % 20 === 0 ? isReadOnly(await failureOf(note(db, "refused"))) : (await readOne(db)).length === 1,
  );
  expect(await Promise.all(work)).toEqual(work.map(() => true));
  await promote();
});

const withCode = (code: string, more: object = {}) => Object.assign(new Error("failed"), { code, ...more });

test.each([
  ["a read-only transaction", withCode("25006"), true],
  ["a full disk", withCode("53100"), true],
  ["no memory", withCode("53200"), true],
  ["too many connections", withCode("53300"), true],
  ["a broken disk", withCode("58030"), true],
  ["a server that is shutting down", withCode("57P01"), true],
  ["a database that was dropped", withCode("57P04"), true],
  ["a password that was changed", withCode("28P01"), true],
  ["a missing database", withCode("3D000"), true],
  ["no file descriptor for another connection", withCode("EMFILE"), true],
  ["a pooler that lost its server", withCode("08P01"), true],
  ["a deadlock", withCode("40P01"), true],
  ["a standby that replays a conflicting change", withCode("40001"), true],
  ["an unlogged table of a standby", withCode("0A000", { routine: "get_relation_info" }), true],
  ["a feature that PostgreSQL lacks", withCode("0A000", { routine: "transformCreateStmt" }), false],
  ["a duplicate", withCode("23505"), false],
  ["a syntax error", withCode("42601"), false],
  ["a cause below", new Error("outer", { cause: withCode("53100") }), true],
  ["a text", "53100", false],
])("%s is classified as unavailable or not", (_what, error, expected) => {
  expect(isDatabaseUnavailable(error)).toBe(expected);
});
