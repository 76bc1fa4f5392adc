import { type DisposableServer, openDisposable } from "@/db/embedded";
import { SERVICE_ROLE } from "@/db/embedded-connection";
import { migrateDatabase } from "@/db/migrate";
import { makePartitions } from "@/test/given-database";
import { asAdministrator, databaseOn, TEMPLATE_DATABASE } from "@/test/database";

/** Starts a disposable server below `parent`, with the migrated template that test files copy. */
export async function startTestDatabase(parent: string): Promise<DisposableServer> {
  const server = await openDisposable(process.env["PG_BIN_DIR"], parent);
  await asAdministrator(`create database ${TEMPLATE_DATABASE} owner ${SERVICE_ROLE}`, server);
  const url = databaseOn(server, TEMPLATE_DATABASE);
  await migrateDatabase(url, "db/migrations");
  await makePartitions(url);
  return server;
}
