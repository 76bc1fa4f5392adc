import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";

import { migrateDatabase } from "@/db/migrate";
import { env } from "@/lib/platform/env";
import { createTestDatabase, createDatabase } from "@/test/database";
import { TEST_SECRETS } from "@/test/secrets";
import { migrateWithSecrets, openSecrets, verifySecrets } from "./index";

const { db, url } = await createTestDatabase();

/** Without secrets in the environment, in a data directory of its own. */
function makePlace() {
  const dataDir = mkdtempSync(join(tmpdir(), "imprint-secrets-"));
  onTestFinished(() => {
    rmSync(dataDir, { recursive: true });
  });
  return { dataDir, file: join(dataDir, "secrets.json"), database: { databaseUrl: url, hasSettings: true } };
}

test("a database that cannot be reached, or is refused, leaves no secrets file behind", async () => {
  const { dataDir, file, database } = makePlace();
  const migrate = vi.fn(() => Promise.reject(new Error("has tables of another program")));
  const away = { databaseUrl: url.replace(/\/[^/]*$/, "/not_there"), hasSettings: true };
  await expect(migrateWithSecrets({ dataDir, database: away }, migrate)).rejects.toThrow();
  expect(migrate).not.toHaveBeenCalled();
  await db.execute(sql`delete from secret_checks`);
  await expect(migrateWithSecrets({ dataDir, database }, migrate)).rejects.toThrow("another program");
  expect(existsSync(file)).toBe(false);
});

test("secrets are generated for a new database, once, and from then on required before it is changed", async () => {
  const own = makePlace();
  const database = { databaseUrl: await createDatabase("secrets_new"), hasSettings: true };
  const migrate = vi.fn(() => migrateDatabase(database.databaseUrl, "db/migrations"));
  await migrateWithSecrets({ ...own, database }, migrate);
  const made = readFileSync(own.file, "utf8");
  await db.execute(sql`delete from secret_checks`);
  await verifySecrets(db);
  await migrateWithSecrets(own, migrate);
  expect([readFileSync(own.file, "utf8"), migrate.mock.calls.length]).toEqual([made, 2]);

  const other = makePlace();
  await expect(migrateWithSecrets(other, migrate)).rejects.toThrow(/secrets\.json does not exist.* restore the file/);
  expect(existsSync(other.file)).toBe(false);
  openSecrets(other.dataDir, { mayGenerate: true });
  await expect(migrateWithSecrets(other, migrate)).rejects.toThrow(
    /is not the secret that this database was first used/,
  );
  expect(migrate).toHaveBeenCalledTimes(2);
  await migrateWithSecrets({ ...other, mayDiffer: true }, migrate);
  expect(migrate).toHaveBeenCalledTimes(3);
});

test("secrets in the environment need no file", () => {
  const { dataDir } = makePlace();
  const before = { ...env };
  Object.assign(env, { AUTH_SECRET: "a".repeat(43), KEY_PEPPER: TEST_SECRETS.keyPepper, KEKS: TEST_SECRETS.keks });
  onTestFinished(() => {
    Object.assign(env, { AUTH_SECRET: before.AUTH_SECRET, KEY_PEPPER: before.KEY_PEPPER, KEKS: before.KEKS });
  });
  expect(() => {
    openSecrets(dataDir);
  }).not.toThrow();
});
