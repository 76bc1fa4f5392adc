import { createWorkerPool, startBackground } from "@/lib/operations/worker-pool";
import { env } from "@/lib/platform/env";
import { prepareNetworkData } from "@/lib/visits/network";
import { REQUEST_NAMES } from "./handlers";
import { announce, openInstallation } from "./installation";
import { type Lifecycle, say } from "./lifecycle";
import { observe, offerMetrics } from "./observe";
import { createPagesProcess } from "./pages-process";
import { acceptConnections, openCapacity } from "./serve";
import { ASN_TABLE, dataDir, DRAIN_MS, PROGRAMS } from "./settings";

/** For background jobs, payment reconciliation and probe observations. */
const POOL_SIZE = 4;

/**
 * Starts the main process: it does what must be done once, accepts connections, and supervises the workers that answer
 * requests.
 */
export async function startPrimary(lifecycle: Lifecycle): Promise<void> {
  const { stopper } = lifecycle;
  const figures = await observe(lifecycle, REQUEST_NAMES);
  const { database, setupLink, ...opened } = await openInstallation(lifecycle, POOL_SIZE);
  prepareNetworkData(dataDir, { asnTable: ASN_TABLE });
  lifecycle.throwIfStopping();
  const pages = createPagesProcess(lifecycle, opened);
  const workers = createWorkerPool({
    program: { role: "requests", file: PROGRAMS.server },
    size: env.WORKERS,
    assignment: { ...opened, pagesSocket: pages.socket },
    hasRoom: openCapacity(database.db).hasRoom,
    onUnrecoverable(error) {
      say(`Imprint stops, because a lost worker could not be replaced: ${error.message}`);
      lifecycle.finish(1);
    },
  });
  stopper.onStop({
    name: "workers",
    timeoutMs: DRAIN_MS + 45_000,
    close: () => workers.stop({ isGentle: lifecycle.isDrainGentle() }),
  });
  lifecycle.onShutdownDelay(workers.delayShutdown);
  await Promise.all([pages.start(), workers.start()]);
  // Workers do not accept connections themselves: one that exits could leave a connection unanswered.
  await acceptConnections(lifecycle, workers.take, { isPaused: true });
  startBackground(database.db, stopper);
  const readOthers = async () => (await Promise.all([workers.readFigures(), pages.readFigures()])).flat();
  announce(setupLink, [
    `Workers   ${env.WORKERS}; kill -USR2 ${process.pid} replaces them one at a time`,
    ...(await offerMetrics(lifecycle, figures, database.db, readOthers)),
  ]);
  let isReplacing = false;
  lifecycle.onReplace(() => {
    if (isReplacing || stopper.isStopping()) return;
    isReplacing = true;
    say("Replacing the workers one at a time");
    void workers.replaceAll().then(async (failed) => {
      const reason = failed ?? (await pages.replaceAll());
      isReplacing = false;
      say(
        reason === undefined
          ? "All workers have been replaced"
          : `The old workers keep running; a new one could not start: ${reason}`,
      );
    });
  });
}
