import { randomBytes } from "node:crypto";

import postgres from "postgres";
import { afterAll } from "vitest";

import { connect, type Connection, publishConnection } from "./client";
import { SERVICE_ROLE } from "./embedded-connection";

/** Set by the test run: the superuser's address of the server, and that of the role which the service works as. */
function urlFrom(variable: "IMPRINT_TEST_DATABASE_URL" | "IMPRINT_TEST_SERVICE_URL"): string {
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set: tests are started through \`npm test\``);
  return url;
}

/** The migrated database that those of test files are copied from. */
export const TEMPLATE_DATABASE = "imprint_template";

/** Runs a statement as the superuser, who may make databases and roles. */
export async function asAdministrator(statement: string): Promise<void> {
  const admin = postgres(urlFrom("IMPRINT_TEST_DATABASE_URL"), {
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
  });
  try {
    await admin.unsafe(statement);
  } finally {
    await admin.end({ timeout: 5 });
  }
}

/** A database of the test server, as the role which the service works as. */
export const databaseUrl = (name: string): string =>
  Object.assign(new URL(urlFrom("IMPRINT_TEST_SERVICE_URL")), { pathname: `/${name}` }).href;

/** A new database that belongs to the service's role, dropped when the test file ends; its address. */
export async function createDatabase(name: string, template = "template1"): Promise<string> {
  const url = databaseUrl(name);
  await asAdministrator(`create database ${name} template ${template} owner ${SERVICE_ROLE}`);
  afterAll(() => asAdministrator(`drop database ${name} with (force)`));
  return url;
}

type TestDatabase = Connection & { url: string; name: string };

/**
 * A migrated database of the calling test file's own, dropped when the file ends.
 * It is also published as the database of this process.
 */
export async function createTestDatabase(options: { poolSize?: number } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const url = await createDatabase(name, TEMPLATE_DATABASE);
  const connection = connect({ url, poolSize: options.poolSize ?? 8, prepare: true, applicationName: name });
  publishConnection(connection);
  afterAll(connection.close);
  return { ...connection, url, name };
}
