import type { Socket } from "node:net";

import { log } from "@/lib/platform/log";
import type { Assignment } from "./messages";
import { createHandOut } from "./hand-out";
import { type PoolWorker, startWorker } from "./worker";

/** A worker that dies as it starts is tried again this often. */
const MAX_ATTEMPTS = 3;
/** Longer than a worker needs to answer what it has in hand and to close. */
const END_MS = 60_000;

type Options = {
  size: number;
  assignment: Assignment;
  /** Told when a lost worker could not be replaced. */
  onUnrecoverable: (error: Error) => void;
};

export type WorkerPool = {
  /** Resolves when all workers serve. @throws Error in the words of the first that could not */
  start: () => Promise<void>;
  /** Gives a connection to the workers in turn. While none serves it waits, and so does its client. */
  take: (connection: Socket) => void;
  /**
   * Puts a new worker in the place of each, one after another: the old one goes when the new one serves. When a new
   * one cannot start, the others stay. Resolves with the reason then.
   */
  replaceAll: () => Promise<string | undefined>;
  /** Ends all workers; requests in flight are answered first. */
  stop: () => Promise<void>;
};

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Worker processes on one port. One that is lost is replaced at once. */
export function createWorkerPool({ size, assignment, onUnrecoverable }: Options): WorkerPool {
  const workers = new Set<PoolWorker>();
  const handOut = createHandOut(workers);
  let isStopped = false;
  const isStopping = () => isStopped;

  async function startOne(attempts: number): Promise<void> {
    for (let left = attempts - 1; ; left -= 1) {
      const worker = startWorker(assignment);
      workers.add(worker);
      void worker.gone.then(() => workers.delete(worker));
      try {
        await worker.serving;
        handOut.resume();
        void replaceWhenLost(worker);
        return;
      } catch (error) {
        if (isStopping() || left === 0) throw error;
        log.error({ err: error }, "a worker ended as it started: another one is tried");
      }
    }
  }

  async function replaceWhenLost(worker: PoolWorker): Promise<void> {
    const how = await worker.gone;
    if (isStopping() || worker.isLeaving) return;
    log.error({ worker: worker.processId, how }, "a worker was lost and is replaced");
    await fill();
  }

  const fill = () =>
    startOne(MAX_ATTEMPTS).catch((error: unknown) => {
      if (!isStopping()) onUnrecoverable(asError(error));
    });

  async function replaceAll(): Promise<string | undefined> {
    for (const old of [...workers]) {
      if (isStopping()) return "the service stops";
      if (!workers.has(old)) continue;
      old.isLeaving = true;
      try {
        await startOne(1);
      } catch (error) {
        old.isLeaving = false;
        // Lost while its successor was tried, it has nobody in its place.
        if (!workers.has(old)) await fill();
        return asError(error).message;
      }
      await old.dismiss("retire", END_MS);
    }
    return undefined;
  }

  return {
    async start() {
      await Promise.all(Array.from({ length: size }, () => startOne(1)));
    },
    replaceAll,
    take: handOut.take,
    async stop() {
      isStopped = true;
      handOut.close();
      await Promise.all([...workers].map((worker) => worker.dismiss("stop", END_MS)));
    },
  };
}
