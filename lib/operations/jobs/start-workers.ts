import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";

import type { Database } from "@/db/client";
import { linkSignals } from "@/lib/platform/link-signals";
import { log } from "@/lib/platform/log";
import type { Job } from "./job";
import { insertJobs } from "./queries";
import { runDueJob } from "./run-due-job";

type WorkerOptions = {
  /** Stops the worker, like `stop`. */
  signal?: AbortSignal;
  /** Poll interval for due jobs. */
  pollSeconds?: number;
  /** Time after which a dead worker's job is due again. */
  leaseSeconds?: number;
  /** Maximum time that `stop` waits for the running job. */
  stopWithinSeconds?: number;
};

/** Waits, or returns early when the signal aborts. */
async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  await wait(seconds * 1000, undefined, { signal, ref: false }).catch(() => undefined);
}

type Loop = { signal: AbortSignal; pollSeconds: number; leaseSeconds: number };

/** Runs due jobs sequentially until none is due. */
async function runAllDue(
  db: Database,
  jobs: readonly Job[],
  owner: string,
  { signal, leaseSeconds }: Loop,
): Promise<void> {
  await insertJobs(
    db,
    jobs.map(({ name }) => name),
  );
  let ran: string | undefined;
  do ran = await runDueJob(db, jobs, { owner, leaseSeconds, signal });
  while (ran !== undefined && !signal.aborted);
}

/** Identifies the machine and process that hold a lease. */
const newOwner = (): string => `${hostname()}/${process.pid}/${randomUUID()}`;

async function work(db: Database, jobs: readonly Job[], loop: Loop): Promise<void> {
  const owner = newOwner();
  while (!loop.signal.aborted) {
    await runAllDue(db, jobs, owner, loop).catch((error: unknown) => {
      log.warn({ err: error }, "background jobs failed to run; retrying");
    });
    await pause(loop.pollSeconds, loop.signal);
  }
}

/**
 * Runs recurring jobs in the background, one at a time. `stop` aborts the running job and waits up to
 * `stopWithinSeconds`; after the lease expires, another worker runs it again.
 */
export function startWorkers(
  db: Database,
  jobs: readonly Job[],
  options: WorkerOptions = {},
): { stop: () => Promise<void> } {
  const { pollSeconds = 5, leaseSeconds = 60, stopWithinSeconds = 5 } = options;
  const stopped = new AbortController();
  const signal = options.signal ? linkSignals(options.signal, stopped.signal).signal : stopped.signal;
  const ended = work(db, jobs, { signal, pollSeconds, leaseSeconds });
  return {
    async stop() {
      stopped.abort();
      await Promise.race([ended, wait(stopWithinSeconds * 1000, undefined, { ref: false })]);
    },
  };
}

/** Runs the groups in parallel, the jobs of each group sequentially. */
export const startJobGroups = (
  db: Database,
  groups: Readonly<Record<string, readonly Job[]>>,
  options: WorkerOptions = {},
): { group: string; stop: () => Promise<void> }[] =>
  Object.entries(groups)
    .filter(([, jobs]) => jobs.length > 0)
    .map(([group, jobs]) => ({ group, ...startWorkers(db, jobs, options) }));
