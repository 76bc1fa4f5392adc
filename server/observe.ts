import type { Connection } from "@/db/client";
import { databaseFolder } from "@/db/embedded-place";
import {
  type FiguresOfProcess,
  observeDatabase,
  openFigures,
  openTraces,
  serveMetrics,
} from "@/lib/operations/metrics";
import { onFiguresAsked, sendToPrimary } from "@/lib/operations/worker-pool";
import { lastBackup } from "@/lib/operations/backup";
import { now } from "@/lib/platform/clock";
import { env } from "@/lib/platform/env";
import { collectWhenIdle } from "@/lib/platform/idle-heap";
import { watchLogChanges } from "@/lib/platform/log-file";
import type { Figures } from "@/lib/platform/metrics";
import type { Lifecycle } from "./lifecycle";
import { dataDir } from "./settings";

/**
 * Has this process count, trace and log what it does, as far as that is wanted, and give memory back when it is idle; the
 * figures, if it counts.
 *
 * @param names of the requests that it answers, each of which is counted from 0 on
 */
export async function observe({ stopper }: Lifecycle, names: readonly string[]): Promise<FiguresOfProcess | undefined> {
  const logChanges = watchLogChanges(dataDir);
  const endCollecting = collectWhenIdle();
  stopper.onStop({
    name: "log",
    timeoutMs: 100,
    close: () => {
      logChanges.close();
      endCollecting();
      return Promise.resolve();
    },
  });
  observeDatabase();
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
    const traces = await openTraces(env.OTEL_EXPORTER_OTLP_ENDPOINT);
    stopper.onStop({ name: "traces", timeoutMs: 3_000, close: traces.close });
  }
  return env.METRICS_PORT === undefined ? undefined : openFigures(names);
}

/** `observe` in a worker, which sends its figures to the primary. */
export async function observeWorker(lifecycle: Lifecycle, names: readonly string[]): Promise<void> {
  const figures = await observe(lifecycle, names);
  if (!figures) return;
  onFiguresAsked(figures.read);
  // What was counted since the last scrape is not lost with the worker.
  const close = () => sendToPrimary({ kind: "figures", figures: figures.read() });
  lifecycle.stopper.onStop({ name: "metrics", timeoutMs: 1_000, close });
}

/** When the newest scheduled backup was begun. While there is none its age is that of this process. */
async function timeOfLastBackup(): Promise<Date | undefined> {
  const last = await lastBackup();
  if (last === undefined) return undefined;
  return last === "none" ? new Date(performance.timeOrigin) : new Date(now().getTime() - last.ageSeconds * 1000);
}

/** Opens `/metrics` if it is wanted; what to say of it. */
export async function offerMetrics(
  { stopper }: Lifecycle,
  figures: FiguresOfProcess | undefined,
  db: Connection["db"],
  others?: () => Promise<readonly Figures[]>,
): Promise<string[]> {
  if (!figures || env.METRICS_PORT === undefined) return [];
  const diskFolder = env.DATABASE_URL === undefined ? databaseFolder(dataDir) : undefined;
  const read = figures.renderAll({ db, diskFolder, lastBackup: timeOfLastBackup }, others);
  const served = await serveMetrics({ port: env.METRICS_PORT, host: env.METRICS_HOST, read });
  stopper.onStop({ name: "metrics endpoint", timeoutMs: 1_000, close: served.close });
  return [`Metrics   ${served.url}`];
}
