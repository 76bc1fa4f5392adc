import { connect } from "@/db/client";
import { openDisposable } from "@/db/embedded";
import { SERVICE_ROLE } from "@/db/embedded-connection";
import { migrateDatabase } from "@/db/migrate";
import { ensurePartitions } from "@/db/partitions";
import { asAdministrator, databaseUrl, TEMPLATE_DATABASE } from "@/db/testing";

const DAYS_BACK = 100;

/** Runs once before all tests: one disposable server with the migrated template that test files copy. */
export default async function openTestServer(): Promise<(() => Promise<void>) | undefined> {
  if (process.env["IMPRINT_TEST_DATABASE_URL"]) return undefined;
  const server = await openDisposable(process.env["PG_BIN_DIR"]);
  process.env["IMPRINT_TEST_DATABASE_URL"] = server.url;
  process.env["IMPRINT_TEST_SERVICE_URL"] = server.serviceUrl;
  await asAdministrator(`create database ${TEMPLATE_DATABASE} owner ${SERVICE_ROLE}`);
  const url = databaseUrl(TEMPLATE_DATABASE);
  await migrateDatabase(url, "db/migrations");
  const { db, close } = connect({ url, poolSize: 1, prepare: false, applicationName: "template" });
  const now = new Date();
  await ensurePartitions(db, new Date(now.getTime() - DAYS_BACK * 86_400_000), now);
  await close();
  return () => server.stop();
}
