import type { Database } from "@/db/client";

export type JobRun = {
  db: Database;
  /** The database's time at the start of the run. */
  now: Date;
  /** Aborted when the worker stops or has lost the job to another one. */
  signal: AbortSignal;
  /** What `saveProgress` was last given, by whichever worker; empty at first. */
  progress: string;
  saveProgress: (progress: string) => Promise<void>;
};

/** Work that recurs. A run can be repeated or cut off at any point without harm. */
export type Job = {
  name: string;
  everySeconds: number;
  run: (run: JobRun) => Promise<unknown>;
};
