import { setTimeout as delay } from "node:timers/promises";

import { isDatabaseUnavailable } from "@/db/client";
import { isMigrated } from "@/db/migrate";
import { openSecrets, verifySecrets } from "@/lib/operations/instance";
import { openConnections, receiveAssignment } from "@/lib/operations/worker-pool";
import type { Database } from "./installation";
import type { Lifecycle } from "./lifecycle";
import { dataDir, MIGRATIONS } from "./settings";

const RETRY_MS = 500;

/** Waits for the database that the primary has prepared. It may be unavailable to a worker that replaces a lost one. */
async function waitUntilPrepared({ throwIfStopping }: Lifecycle, { db, pool }: Database): Promise<void> {
  for (;;) {
    throwIfStopping();
    try {
      if (!(await isMigrated(pool, MIGRATIONS)))
        throw new Error("the database lacks a migration of this build: restart the service as a whole");
      await verifySecrets(db);
      return;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await delay(RETRY_MS, undefined, { ref: false });
    }
  }
}

/** Receives the worker's assignment and opens its connections to the database that the primary has prepared. */
export async function openAssignment(lifecycle: Lifecycle, poolSize: number) {
  openSecrets(dataDir);
  const assignment = await receiveAssignment();
  const database: Database = openConnections({ ...assignment, poolSize }, lifecycle.stopper);
  await waitUntilPrepared(lifecycle, database);
  return { ...assignment, database };
}
