import { connect } from "@/db/client";
import { type DisposableServer, openDisposable } from "@/db/embedded";
import { SERVICE_ROLE } from "@/db/embedded-connection";
import { migrateDatabase } from "@/db/migrate";
import { ensurePartitions } from "@/db/partitions";
import { asAdministrator, databaseOn, TEMPLATE_DATABASE } from "@/test/database";

const DAYS_BACK = 100;

/** One disposable server with the migrated template that test files copy. */
export async function startTestDatabase(): Promise<DisposableServer> {
  const server = await openDisposable(process.env["PG_BIN_DIR"]);
  await asAdministrator(`create database ${TEMPLATE_DATABASE} owner ${SERVICE_ROLE}`, server);
  const url = databaseOn(server, TEMPLATE_DATABASE);
  await migrateDatabase(url, "db/migrations");
  const { db, close } = connect({ url, poolSize: 1, prepare: false, applicationName: "template" });
  const now = new Date();
  await ensurePartitions(db, new Date(now.getTime() - DAYS_BACK * 86_400_000), now);
  await close();
  return server;
}
