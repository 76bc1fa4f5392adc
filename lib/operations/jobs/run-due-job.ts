import { type Database, databaseNow } from "@/db/client";
import { linkSignals } from "@/lib/platform/link-signals";
import { log } from "@/lib/platform/log";
import { metrics } from "@/lib/platform/metrics";
import type { Job } from "./job";
import { claimDueJob, releaseJob, renewLease, saveProgress } from "./queries";

/** Default retry delay of a failed job, unless its interval is shorter. */
const RETRY_SECONDS = 60;

type Worker = { owner: string; leaseSeconds: number; signal: AbortSignal };

const failureName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Renews the lease while `work` runs, and aborts `work` if the lease is lost. */
async function underLease(
  db: Database,
  name: string,
  { owner, leaseSeconds, signal }: Worker,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const lost = new AbortController();
  const renewal = setInterval(
    () => {
      renewLease(db, name, owner, leaseSeconds).then(
        (isHeld) => {
          if (!isHeld) lost.abort(new Error(`the lease of the job ${name} is lost`));
        },
        (error: unknown) => {
          log.warn({ err: error, job: name }, "the lease of a job was not renewed");
        },
      );
    },
    (leaseSeconds * 1000) / 3,
  );
  renewal.unref();
  const linked = linkSignals(signal, lost.signal);
  try {
    await work(linked.signal);
  } finally {
    linked.unlink();
    clearInterval(renewal);
  }
}

/**
 * Runs the job that has been due longest; returns its name, or undefined if none is due. Two workers never run the same
 * job concurrently, and a crashed worker's job is due again when its lease expires.
 */
export async function runDueJob(db: Database, jobs: readonly Job[], worker: Worker): Promise<string | undefined> {
  const { owner, leaseSeconds } = worker;
  const claimed = await claimDueJob(db, jobs, owner, leaseSeconds);
  const job = jobs.find(({ name }) => name === claimed?.name);
  if (!claimed || !job) return undefined;
  const { name, everySeconds, retrySeconds = RETRY_SECONDS } = job;
  const startedAt = performance.now();
  const countRun = (outcome: "done" | "failed") => {
    metrics()?.count("imprint_job_runs_total", { job_name: name, outcome });
    metrics()?.set("imprint_job_duration_seconds", { job_name: name }, (performance.now() - startedAt) / 1000);
  };
  try {
    const now = await databaseNow(db);
    await underLease(db, name, worker, (signal) =>
      job.run({
        db,
        now,
        signal,
        progress: claimed.progress,
        saveProgress: (text) => saveProgress(db, name, owner, text),
      }),
    );
    countRun("done");
    await releaseJob(db, name, owner, { dueInSeconds: worker.signal.aborted ? 0 : everySeconds, failure: "" });
  } catch (error) {
    countRun("failed");
    log.error({ err: error, job: name }, "a background job failed");
    await releaseJob(db, name, owner, {
      dueInSeconds: Math.min(everySeconds, retrySeconds),
      failure: failureName(error),
    });
  }
  return name;
}
