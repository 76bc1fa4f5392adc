import postgres from "postgres";

import { connect } from "@/db/client";
import { openDisposable } from "@/db/embedded";
import { migrateDatabase } from "@/db/migrate";
import { ensurePartitions } from "@/db/partitions";

/** The name that `db/testing.ts` copies from. */
const TEMPLATE_DATABASE = "imprint_template";
const DAYS_BACK = 100;

/** Runs once before all tests: one disposable server with the migrated template that test files copy. */
export default async function openTestServer(): Promise<(() => Promise<void>) | undefined> {
  if (process.env["IMPRINT_TEST_DATABASE_URL"]) return undefined;
  const server = await openDisposable(process.env["PG_BIN_DIR"]);
  process.env["IMPRINT_TEST_DATABASE_URL"] = server.url;
  const admin = postgres(server.url, { max: 1, fetch_types: false });
  await admin.unsafe(`create database ${TEMPLATE_DATABASE}`);
  await admin.end({ timeout: 5 });
  const url = Object.assign(new URL(server.url), { pathname: `/${TEMPLATE_DATABASE}` }).href;
  await migrateDatabase(url, "db/migrations");
  const { db, close } = connect({ url, poolSize: 1, prepare: false, applicationName: "template" });
  const now = new Date();
  await ensurePartitions(db, new Date(now.getTime() - DAYS_BACK * 86_400_000), now);
  await close();
  return () => server.stop();
}
