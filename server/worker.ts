import { onConnection, sendToPrimary } from "@/lib/operations/worker-pool";
import { env } from "@/lib/platform/env";
import { publishProbeServer } from "@/lib/visits/probe";
import { openAssignment } from "./assignment";
import { REQUEST_NAMES } from "./handlers";
import type { Lifecycle } from "./lifecycle";
import { observeWorker } from "./observe";
import { serve } from "./serve";

/** Starts one of several processes that answer requests. */
export async function startWorker(lifecycle: Lifecycle): Promise<void> {
  await observeWorker(lifecycle, REQUEST_NAMES);
  const { database, probeUrls, pagesSocket } = await openAssignment(lifecycle, env.DATABASE_POOL_SIZE);
  if (probeUrls.length > 0) publishProbeServer({ urls: probeUrls });
  onConnection(await serve(lifecycle, database, pagesSocket));
  await sendToPrimary({ kind: "serving" });
}
