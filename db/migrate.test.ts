import { expect, test } from "vitest";

import { isMigrated, migrateDatabase } from "./migrate";
import { createTestDatabase } from "@/test/database";

const MIGRATIONS = "db/migrations";
const { pool, url } = await createTestDatabase();

async function tables(): Promise<number | undefined> {
  const [row] = await pool<{ count: number }[]>`select count(*)::int as count from pg_class where relkind = 'r'`;
  return row?.count;
}

test("a database of this version is left as it is", async () => {
  const before = await tables();
  await migrateDatabase(url, MIGRATIONS);
  expect(await isMigrated(pool, MIGRATIONS)).toBe(true);
  expect(await tables()).toBe(before);
});

test("a database of a newer version is refused, with what to do", async () => {
  await pool`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 4102444800000)`;
  await expect(migrateDatabase(url, MIGRATIONS)).rejects.toThrow(/newer version .* Start that version/);
  await pool`delete from drizzle.__drizzle_migrations where hash = 'later'`;
});

test("a database whose migrations were edited after it was made is refused instead of being upgraded wrongly", async () => {
  const [first] = await pool<{ hash: string }[]>`select hash from drizzle.__drizzle_migrations order by id limit 1`;
  await pool`update drizzle.__drizzle_migrations set hash = 'edited' where hash = ${first?.hash ?? ""}`;
  await expect(migrateDatabase(url, MIGRATIONS)).rejects.toThrow(/unreleased state/);
  await pool`update drizzle.__drizzle_migrations set hash = ${first?.hash ?? ""} where hash = 'edited'`;
  await migrateDatabase(url, MIGRATIONS);
});
