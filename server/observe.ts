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
 * Sets up metrics, traces and logging in this process, as configured, and releases memory when it is idle. Returns the
 * process's figures if metrics are on.
 *
 * @param names request names that the process answers, so that each is counted from 0
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

/** `observe` for a worker, which sends its figures to the primary. */
export async function observeWorker(lifecycle: Lifecycle, names: readonly string[]): Promise<void> {
  const figures = await observe(lifecycle, names);
  if (!figures) return;
  onFiguresAsked(figures.read);
  // Counts since the last scrape are not lost when the worker exits.
  const close = () => sendToPrimary({ kind: "figures", figures: figures.read() });
  lifecycle.stopper.onStop({ name: "metrics", timeoutMs: 1_000, close });
}

/** Start of the newest scheduled backup. If none is found, its age is that of this process. */
async function timeOfLastBackup(): Promise<Date | undefined> {
  const last = await lastBackup();
  if (last === undefined) return undefined;
  return typeof last === "string"
    ? new Date(performance.timeOrigin)
    : new Date(now().getTime() - last.ageSeconds * 1000);
}

/** Opens `/metrics` if configured; returns the lines to print. */
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
