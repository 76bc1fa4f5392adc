import { setTimeout as delay } from "node:timers/promises";

import { isDatabaseUnavailable } from "@/db/client";
import { isMigrated } from "@/db/migrate";
import { verifySecrets } from "@/lib/operations/instance";
import { receiveAssignment, onConnection, openConnections, sendToPrimary } from "@/lib/operations/worker-pool";
import { env } from "@/lib/platform/env";
import { publishProbeServer } from "@/lib/visits/probe";
import { type Database, openSecrets } from "./installation";
import type { Lifecycle } from "./lifecycle";
import { serve } from "./serve";
import { MIGRATIONS } from "./settings";

const RETRY_MS = 500;

/** Waits for the database that the primary has prepared: a worker that replaces a lost one may find it unavailable. */
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

/** One of several processes that answer requests. */
export async function startWorker(lifecycle: Lifecycle): Promise<void> {
  openSecrets();
  const { databaseUrl, probeUrls } = await receiveAssignment();
  const database = openConnections(databaseUrl, env.DATABASE_POOL_SIZE, lifecycle.stopper);
  await waitUntilPrepared(lifecycle, database);
  if (probeUrls.length > 0) publishProbeServer({ urls: probeUrls });
  onConnection(await serve(lifecycle, database));
  await sendToPrimary({ kind: "serving" });
}
