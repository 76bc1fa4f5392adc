import { randomBytes } from "node:crypto";

import { afterAll } from "vitest";

import { connect, type Connection, publishConnection } from "@/db/client";
import { SERVICE_ROLE } from "@/db/embedded-connection";
import { sessionOptions } from "@/db/session-settings";
import { query } from "@/scripts/common/connection";

/** URLs of the server for the superuser and for the service's role. */
type TestServer = { url: string; serviceUrl: string };

/** Requests the test run's server, which is started by the first request: `e2e/test-server.ts`. */
async function askForServer(): Promise<TestServer> {
  const address = process.env["IMPRINT_TEST_SERVER"];
  if (!address) throw new Error("IMPRINT_TEST_SERVER is not set: tests are started through `npm test`");
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The test database did not start: ${await response.text()}`);
  return (await response.json()) as TestServer;
}

let asked: Promise<TestServer> | undefined;
const testServer = (): Promise<TestServer> => (asked ??= askForServer());

/** The migrated database that test files' databases are copied from. */
export const TEMPLATE_DATABASE = "imprint_template";

/** Runs a statement as superuser, who may create databases and roles. */
export async function asAdministrator(statement: string, server?: TestServer): Promise<void> {
  const { url } = server ?? (await testServer());
  await query(url, statement);
}

/** URL of a database on a test server, for the service's role. */
export const databaseOn = ({ serviceUrl }: TestServer, name: string): string =>
  Object.assign(new URL(serviceUrl), { pathname: `/${name}` }).href;

/** URL of a database on the test server. */
export const databaseUrl = async (name: string): Promise<string> => databaseOn(await testServer(), name);

/** Creates a database owned by the service's role, dropped when the test file ends; returns its URL. */
export async function createDatabase(name: string, template = "template1"): Promise<string> {
  const url = await databaseUrl(name);
  // With the default strategy, which goes through the WAL, a thousand small files take four times as long.
  await asAdministrator(`create database ${name} template ${template} strategy file_copy owner ${SERVICE_ROLE}`);
  afterAll(() => asAdministrator(`drop database ${name} with (force)`));
  return url;
}

type TestDatabase = Connection & { url: string; name: string };

/** The given database of `npm test -- --database URL`. All test files share it, each with its own rows. */
const GIVEN = process.env["IMPRINT_TEST_DATABASE"];

/** Connects as a service would, directly or through a pooler. */
async function connectToGiven(url: string, poolSize: number): Promise<TestDatabase> {
  const connection = connect({ url, poolSize, ...(await sessionOptions(url)), applicationName: "imprint-test" });
  return { ...connection, url, name: new URL(url).pathname.slice(1) };
}

async function createOwn(poolSize: number): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const url = await createDatabase(name, TEMPLATE_DATABASE);
  return { ...connect({ url, poolSize, prepare: true, applicationName: name }), url, name };
}

/**
 * Creates a migrated database for the calling test file, dropped when the file ends, or uses the run's given database.
 * It is also published as the database of this process.
 */
export async function createTestDatabase({ poolSize = 8 }: { poolSize?: number } = {}): Promise<TestDatabase> {
  const database = GIVEN === undefined ? await createOwn(poolSize) : await connectToGiven(GIVEN, poolSize);
  publishConnection(database);
  afterAll(database.close);
  return database;
}

/** Replaces the database of this process (`own`) with another one while `work` runs. */
export async function withConnection(own: Connection, other: Connection, work: () => Promise<void>): Promise<void> {
  publishConnection(other);
  try {
    await work();
  } finally {
    publishConnection(own);
    await other.close();
  }
}
