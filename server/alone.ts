import { startBackground } from "@/lib/operations/worker-pool";
import { env } from "@/lib/platform/env";
import { announce, openInstallation } from "./installation";
import { type Lifecycle, say } from "./lifecycle";
import { acceptConnections, serve } from "./serve";

/** One process that does everything. */
export async function startAlone(lifecycle: Lifecycle): Promise<void> {
  const { database, setupLink } = await openInstallation(lifecycle, env.DATABASE_POOL_SIZE);
  await acceptConnections(lifecycle, await serve(lifecycle, database));
  startBackground(database.db, lifecycle.stopper);
  announce(setupLink);
  lifecycle.onReplace(() => {
    say("One process cannot be replaced without a gap: set WORKERS=2 or more. It goes on as it is.");
  });
}
