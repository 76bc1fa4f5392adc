import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";

import { asAdministrator, createTestDatabase } from "@/test/database";
import { connect } from "./client";
import { migrateDatabase } from "./migrate";
import { jobs } from "./schema";

const { url } = await createTestDatabase();
const name = new URL(url).pathname.slice(1);

/** Settings that administrators may have for a database, role or server, and that would change formats or isolation. */
const FOREIGN_SETTINGS = {
  datestyle: "German, DMY",
  intervalstyle: "iso_8601",
  bytea_output: "escape",
  extra_float_digits: "-5",
  standard_conforming_strings: "off",
  default_transaction_isolation: "serializable",
  default_transaction_deferrable: "on",
  timezone: "Asia/Kathmandu",
};

for (const [setting, value] of Object.entries(FOREIGN_SETTINGS))
  await asAdministrator(`alter database ${name} set ${setting} = '${value}'`);

const { db, close } = connect({ url, poolSize: 4, prepare: true, applicationName: "session-settings.test" });
afterAll(close);

test("values are read as stored, whatever the settings of the database", async () => {
  const dueAt = new Date("2026-02-01T03:04:05.678Z");
  await db.insert(jobs).values({ name: "foreign settings", dueAt });
  expect(await db.select({ dueAt: jobs.dueAt }).from(jobs)).toEqual([{ dueAt }]);
  const [row] = await db.execute(sql`
    select decode('005cff27', 'hex') as bytes, 1763000000123::float8 as float, 'a\\b' as text,
      timestamptz '2026-02-01 03:04:05.678+00' as at, interval '90 minutes' as duration`);
  expect(row).toEqual({
    bytes: Buffer.from([0, 0x5c, 0xff, 0x27]),
    float: 1_763_000_000_123,
    text: String.raw`a\b`,
    at: "2026-02-01 03:04:05.678+00",
    duration: "01:30:00",
  });
});

test("transactions run in read committed mode, as every statement expects", async () => {
  const readCount = (tx: Pick<typeof db, "$count">) => tx.$count(jobs);
  await db.transaction(async (tx) => {
    const before = await readCount(tx);
    await db.insert(jobs).values({ name: "meanwhile", dueAt: new Date() });
    expect(await readCount(tx)).toBe(before + 1);
  });
});

test("migrations recognise what is already applied", async () => {
  expect(await migrateDatabase(url, "db/migrations")).toEqual([]);
});
