import type { Database } from "@/db/client";

export type JobRun = {
  db: Database;
  /** The database's time at the start of the run. */
  now: Date;
  /** Aborted when the worker stops or has lost its lease. */
  signal: AbortSignal;
  /** The last value of `saveProgress`, of any worker; empty at first. */
  progress: string;
  saveProgress: (progress: string) => Promise<void>;
};

/** Recurring work. A run can be repeated or interrupted at any point. */
export type Job = {
  name: string;
  everySeconds: number;
  /** After a failure, if not within a minute. */
  retrySeconds?: number;
  run: (run: JobRun) => Promise<unknown>;
};
