import type { Socket } from "node:net";

import { log } from "@/lib/platform/log";
import type { Figures } from "@/lib/platform/metrics";
import type { Assignment } from "./messages";
import { createDispatcher } from "./dispatch";
import { createFiguresOfWorkers } from "./figures";
import { type PoolWorker, type Program, startWorker } from "./worker";

/** Attempts to start a replacement. */
const MAX_ATTEMPTS = 3;
/** Longer than a worker needs to answer its requests in flight and to close. */
const END_MS = 60_000;

type Options = {
  program: Program;
  size: number;
  assignment: Assignment;
  /** Called when a lost worker could not be replaced. */
  onUnrecoverable: (error: Error) => void;
};

export type WorkerPool = {
  /** Resolves when all workers serve. @throws Error with the reason of the first that could not */
  start: () => Promise<void>;
  /** Starts workers again after `onUnrecoverable`. */
  restart: () => void;
  /** Dispatches a connection to the workers round robin. While none serves it is queued. */
  take: (connection: Socket) => void;
  /**
   * Replaces the workers one after another: the old one retires when the new one serves. When a new one cannot start,
   * the others stay. Resolves with the reason then.
   */
  replaceAll: () => Promise<string | undefined>;
  /** Has all workers tell load balancers that the service will stop, while they serve on. */
  delayShutdown: () => void;
  /** The figures of every worker, and what those that have ended had counted. */
  readFigures: () => Promise<Figures[]>;
  /** Stops all workers; requests in flight are answered first. Gently, idle connections end by themselves. */
  stop: (options: { isGentle: boolean }) => Promise<void>;
};

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

type Replacing = {
  startOne: (attempts: number) => Promise<void>;
  fill: () => Promise<void>;
  isStopping: () => boolean;
};

async function replaceEach(workers: Set<PoolWorker>, { startOne, fill, isStopping }: Replacing) {
  for (const old of [...workers]) {
    if (isStopping()) return "the service stops";
    if (!workers.has(old)) continue;
    old.isShuttingDown = true;
    try {
      await startOne(1);
    } catch (error) {
      old.isShuttingDown = false;
      // It exited while its successor was starting: nothing replaces it yet.
      if (!workers.has(old)) await fill();
      return asError(error).message;
    }
    await old.shutDown("retire", END_MS);
  }
  return undefined;
}

/** Makes a worker one of `workers` until it exits. */
function addWorker(workers: Set<PoolWorker>, worker: PoolWorker): PoolWorker {
  workers.add(worker);
  void worker.exited.then(() => workers.delete(worker));
  return worker;
}

/** Worker processes on one port. One that is lost is replaced at once. */
export function createWorkerPool({ program, size, assignment, onUnrecoverable }: Options): WorkerPool {
  const workers = new Set<PoolWorker>();
  const dispatcher = createDispatcher(workers);
  let isStopped = false;
  let isDelaying = false;
  const isStopping = () => isStopped;
  const figures = createFiguresOfWorkers(workers);

  async function startOne(attempts: number): Promise<void> {
    for (let left = attempts - 1; ; left -= 1) {
      const worker = figures.follow(addWorker(workers, startWorker(program, assignment)));
      try {
        await worker.serving;
        if (isDelaying) worker.delayShutdown();
        dispatcher.resume();
        void replaceWhenLost(worker);
        return;
      } catch (error) {
        if (isStopping() || left === 0) throw error;
        log.error({ err: error }, "a worker exited while starting: trying another one");
      }
    }
  }

  async function replaceWhenLost(worker: PoolWorker): Promise<void> {
    const how = await worker.exited;
    if (isStopping() || worker.isShuttingDown) return;
    log.error({ worker: worker.processId, how }, "a worker exited unexpectedly and is replaced");
    await fill();
  }

  const fill = () =>
    startOne(MAX_ATTEMPTS).catch((error: unknown) => {
      if (!isStopping()) onUnrecoverable(asError(error));
    });

  return {
    async start() {
      await Promise.all(Array.from({ length: size }, () => startOne(1)));
    },
    restart: () => void fill(),
    replaceAll: () => replaceEach(workers, { startOne, fill, isStopping }),
    take: dispatcher.take,
    readFigures: figures.readAll,
    delayShutdown() {
      isDelaying = true;
      for (const worker of workers) worker.delayShutdown();
    },
    async stop({ isGentle }) {
      isStopped = true;
      dispatcher.close();
      await Promise.all([...workers].map((worker) => worker.shutDown(isGentle ? "retire" : "stop", END_MS)));
    },
  };
}
