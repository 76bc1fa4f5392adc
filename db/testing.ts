import { randomBytes } from "node:crypto";

import postgres from "postgres";
import { afterAll } from "vitest";

import { connect, type Connection, publishConnection } from "./client";

/** Set by the test run: an administrative connection, and the migrated template that databases are copied from. */
const adminUrl = () => {
  const url = process.env["IMPRINT_TEST_DATABASE_URL"];
  if (!url) throw new Error("IMPRINT_TEST_DATABASE_URL is not set: tests are started through `npm test`");
  return url;
};

export const TEMPLATE_DATABASE = "imprint_template";

export function databaseUrl(name: string): string {
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  return url.href;
}

type TestDatabase = Connection & { url: string; name: string };

/**
 * A migrated database of the calling test file's own, dropped when the file ends.
 * It is also published as the database of this process.
 */
export async function createTestDatabase(options: { poolSize?: number } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const admin = postgres(adminUrl(), { max: 1, fetch_types: false, onnotice: () => undefined });
  await admin.unsafe(`create database ${name} template ${TEMPLATE_DATABASE}`);
  await admin.end({ timeout: 5 });
  const url = databaseUrl(name);
  const connection = connect({ url, poolSize: options.poolSize ?? 8, prepare: true, applicationName: name });
  publishConnection(connection);
  afterAll(async () => {
    await connection.close();
    const cleaner = postgres(adminUrl(), { max: 1, fetch_types: false, onnotice: () => undefined });
    await cleaner.unsafe(`drop database ${name} with (force)`);
    await cleaner.end({ timeout: 5 });
  });
  return { ...connection, url, name };
}
