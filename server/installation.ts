import { type Connection, databaseNow } from "@/db/client";
import { migrateDatabase } from "@/db/migrate";
import { ensurePartitionsAround } from "@/db/partitions";
import { describeDistribution, describePath, migrateWithSecrets, verifySecrets } from "@/lib/operations/instance";
import { findDatabase, openConnections, openDatabaseServer, openProbe } from "@/lib/operations/worker-pool";
import { now } from "@/lib/platform/clock";
import { baseUrl, env } from "@/lib/platform/env";
import { readOpenFiles } from "@/lib/platform/open-files";
import { ensureSetupLink, initializeInstance } from "@/lib/tenancy/sign-in";
import { type Lifecycle, say } from "./lifecycle";
import { dataDir, MIGRATIONS } from "./settings";

export type Database = Pick<Connection, "db" | "pool" | "readOnlyAt" | "renewAll">;

/**
 * Sets up what only one process per machine does: the database server, its schema and partitions, and the address
 * probe.
 */
export async function openInstallation({ stopper, hasSuccessor }: Lifecycle, poolSize: number) {
  const databaseUrl = await openDatabaseServer({ dataDir, stopper, hasSuccessor });
  const address = await findDatabase(databaseUrl);
  await migrateWithSecrets({ dataDir, database: address }, () => migrateDatabase(databaseUrl, MIGRATIONS));
  const database: Database = openConnections({ ...address, poolSize }, stopper);
  const { db } = database;
  const cluster = await describeDistribution(db);
  if (cluster !== undefined) say(cluster);
  await ensurePartitionsAround(db, [now(), await databaseNow(db)]);
  await verifySecrets(db);
  const made = await initializeInstance(db, env);
  if (made) say(`Set up    workspace ${made.workspaceId} for ${made.email}, from INIT_*`);
  // Before the pages, because loading them blocks the event loop for so long on a busy machine that database answers
  // are processed too late.
  const setupLink = await ensureSetupLink(db);
  const probeUrls = await openProbe(db, stopper);
  return { ...address, database, setupLink, probeUrls };
}

function describeOpenFiles(): string[] {
  const files = readOpenFiles();
  if (!files || files.isEnough) return [];
  const { limit, connections } = files;
  return [
    `Files     a process may have only ${limit} open, and therefore closes connections beyond ${connections}: raise the limit (ulimit -n, or LimitNOFILE under systemd)`,
  ];
}

function describeAddress(): string[] {
  const path = describePath(baseUrl());
  return path === undefined ? [] : [`Address   ${path} Give the service its own host name, and set BASE_URL to it.`];
}

/** Printed in one write, so that a program that waits for the URL receives the link too. */
export function announce(setupLink: string | undefined, more: readonly string[] = []): void {
  const link = setupLink === undefined ? [] : [`Set-up    ${setupLink}   (works once)`];
  say([`Imprint   ${baseUrl()}`, ...link, ...more, ...describeAddress(), ...describeOpenFiles()].join("\n"));
}
