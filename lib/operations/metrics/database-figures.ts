import { statfs } from "node:fs/promises";

import type { Database } from "@/db/client";
import { missingPartitions } from "@/db/partitions";
import { listJobStates } from "@/lib/operations/jobs";
import { now } from "@/lib/platform/clock";
import { log } from "@/lib/platform/log";
import type { Recorder } from "@/lib/platform/metrics";
import { readQueueFigures } from "@/lib/tenancy/webhooks";
import { countPurchases } from "@/lib/trials";
import { listTableFigures, readServerFigures } from "./queries";

/** Minimum interval between database reads, shared by all scrapes. */
const READ_EVERY_MS = 15_000;
/** Maximum time that a scrape waits for new figures before it answers without them. */
const WAIT_MS = 3_000;

export type FigureSources = {
  db: Database;
  /** Folder of the embedded database. */
  diskFolder?: string | undefined;
  /** Start of the newest scheduled backup. */
  lastBackup?: (() => Promise<Date | undefined>) | undefined;
};

async function setServer(recorder: Recorder, db: Database): Promise<void> {
  const row = await readServerFigures(db);
  const skewMs = Math.abs(Number(row.epoch_ms) - now().getTime());
  recorder.set("imprint_database_clock_skew_seconds", {}, skewMs / 1000);
  recorder.set("imprint_database_writable", {}, row.is_writable ? 1 : 0);
  recorder.set("imprint_database_connections", {}, row.connections);
  recorder.set("imprint_database_max_connections", {}, row.max_connections);
  recorder.set("imprint_database_size_bytes", {}, Number(row.size_bytes));
  recorder.set("imprint_database_oldest_transaction_seconds", {}, row.oldest_seconds);
  recorder.set("imprint_database_slot_retained_bytes", {}, Number(row.slot_bytes));
}

async function setTables(recorder: Recorder, db: Database): Promise<void> {
  for (const { name, dead, live, partitions } of await listTableFigures(db)) {
    recorder.set("imprint_database_dead_tuples", { table: name }, dead);
    recorder.set("imprint_database_live_tuples", { table: name }, live);
    if (partitions > 0) recorder.set("imprint_partitions", { table: name }, partitions);
  }
  recorder.set("imprint_partitions_missing", {}, (await missingPartitions(db, now())).length);
}

async function setJobs(recorder: Recorder, db: Database): Promise<void> {
  for (const { name, lastSucceededAt, lastError, overdueSeconds, isRunning } of await listJobStates(db)) {
    const succeededSeconds = lastSucceededAt === null ? 0 : lastSucceededAt.getTime() / 1000;
    recorder.set("imprint_job_last_success_timestamp_seconds", { job_name: name }, succeededSeconds);
    recorder.set("imprint_job_overdue_seconds", { job_name: name }, isRunning ? 0 : Math.max(0, overdueSeconds));
    recorder.set("imprint_job_failing", { job_name: name }, lastError === "" ? 0 : 1);
  }
}

async function setPurchases(recorder: Recorder, db: Database): Promise<void> {
  const { counts, oldestUnresolvedSeconds } = await countPurchases(db);
  recorder.clear("imprint_purchases");
  for (const { status, purchases } of counts) recorder.set("imprint_purchases", { state: status }, purchases);
  recorder.set("imprint_purchases_unresolved_oldest_seconds", {}, oldestUnresolvedSeconds);
}

async function setWebhooks(recorder: Recorder, db: Database): Promise<void> {
  const { backlog, overdueSeconds, disabled } = await readQueueFigures(db);
  recorder.set("imprint_webhook_backlog", {}, backlog);
  recorder.set("imprint_webhook_overdue_seconds", {}, overdueSeconds);
  recorder.set("imprint_webhook_endpoints_disabled", {}, disabled);
}

async function setMachine(recorder: Recorder, { diskFolder, lastBackup }: FigureSources): Promise<void> {
  const disk = diskFolder === undefined ? undefined : await statfs(diskFolder).catch(() => undefined);
  if (disk) {
    recorder.set("imprint_disk_free_bytes", {}, disk.bavail * disk.bsize);
    recorder.set("imprint_disk_size_bytes", {}, disk.blocks * disk.bsize);
  }
  const backup = await lastBackup?.();
  if (backup) recorder.set("imprint_backup_last_success_timestamp_seconds", {}, backup.getTime() / 1000);
}

/**
 * Sequentially, so that one connection is used; each statement has its own deadline. One that exceeds it does not keep
 * the others from being read.
 *
 * @returns whether all were read
 */
async function readTableFigures(recorder: Recorder, { db }: FigureSources): Promise<boolean> {
  let failed = 0;
  for (const set of [setTables, setJobs, setPurchases, setWebhooks])
    await set(recorder, db).catch((error: unknown) => {
      failed += 1;
      log.warn({ err: error }, "figures of the database could not be read");
    });
  return failed === 0;
}

/**
 * Creates a function that reads the figures that need a query: on demand, at most every 15 seconds, one read at a time.
 */
export function createDatabaseFigures(recorder: Recorder, sources: FigureSources): () => Promise<void> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let readAt: number | undefined;
  let running: Promise<void> | undefined;

  async function read(): Promise<void> {
    try {
      await setServer(recorder, sources.db);
      recorder.set("imprint_database_up", {}, 1);
    } catch (error) {
      recorder.set("imprint_database_up", {}, 0);
      log.debug({ err: error }, "the database did not answer");
      return;
    }
    if (await readTableFigures(recorder, sources)) readAt = performance.now();
  }

  return async () => {
    await setMachine(recorder, sources);
    if (!running && performance.now() - startedAt >= READ_EVERY_MS) {
      startedAt = performance.now();
      running = read().finally(() => {
        running = undefined;
      });
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, WAIT_MS)));
    await Promise.race([running, late]);
    clearTimeout(timer);
    const ageMs = performance.now() - (readAt ?? startedAt);
    recorder.set("imprint_database_figures_age_seconds", {}, ageMs / 1000);
  };
}
