import { startBackground } from "@/lib/operations/worker-pool";
import { env } from "@/lib/platform/env";
import { REQUEST_NAMES } from "./handlers";
import { observe, offerMetrics } from "./observe";
import { announce, openInstallation } from "./installation";
import { type Lifecycle, say } from "./lifecycle";
import { createPagesProcess } from "./pages-process";
import { acceptConnections, serve } from "./serve";
import { isDevelopment } from "./settings";

/** Starts the service as one process that does everything except rendering pages. */
export async function startAlone(lifecycle: Lifecycle): Promise<void> {
  const figures = await observe(lifecycle, REQUEST_NAMES);
  const { database, setupLink, ...opened } = await openInstallation(lifecycle, env.DATABASE_POOL_SIZE);
  const pages = isDevelopment ? undefined : createPagesProcess(lifecycle, opened);
  const [take] = await Promise.all([serve(lifecycle, database, pages?.socket ?? ""), pages?.start()]);
  await acceptConnections(lifecycle, take);
  startBackground(database.db, lifecycle.stopper);
  announce(setupLink, await offerMetrics(lifecycle, figures, database.db, pages?.readFigures));
  lifecycle.onReplace(() => {
    say("A single process cannot be replaced without downtime: set WORKERS to 2 or more. Nothing was changed.");
  });
}
