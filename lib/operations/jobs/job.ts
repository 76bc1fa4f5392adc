import type { Database } from "@/db/client";

export type JobRun = {
  db: Database;
  /** The database's time at the start of the run. */
  now: Date;
  /** Aborted when the worker stops or has lost its lease. */
  signal: AbortSignal;
  /** The last value passed to `saveProgress` by any worker; initially empty. */
  progress: string;
  saveProgress: (progress: string) => Promise<void>;
};

/** A recurring job. A run may be repeated or interrupted at any point. */
export type Job = {
  name: string;
  everySeconds: number;
  /** Retry delay after a failure, if not a minute. */
  retrySeconds?: number;
  run: (run: JobRun) => Promise<unknown>;
};
