import type { Socket } from "node:net";

import type { Capacity } from "@/lib/interfaces/http/server/capacity";
import { log } from "@/lib/platform/log";
import type { Figures } from "@/lib/platform/metrics";
import type { Assignment } from "./messages";
import { createDispatcher } from "./dispatch";
import { createFiguresOfWorkers } from "./figures";
import { type PoolWorker, type Program, startWorker } from "./worker";

/** Attempts to start a replacement worker. */
const MAX_ATTEMPTS = 3;
/** Longer than a worker needs to answer its requests in flight and close. */
const END_MS = 60_000;

type Options = {
  program: Program;
  size: number;
  assignment: Assignment;
  /** Whether this process may accept another connection besides those that wait for a worker. */
  hasRoom?: Capacity["hasRoom"];
  /** Called if a lost worker could not be replaced. */
  onUnrecoverable: (error: Error) => void;
};

export type WorkerPool = {
  /** Resolves when all workers are serving. @throws Error with the reason of the first that could not start */
  start: () => Promise<void>;
  /** Starts workers again after `onUnrecoverable`. */
  restart: () => void;
  /** Dispatches a connection to the workers round robin; queues it while none is serving. */
  take: (connection: Socket) => void;
  /**
   * Replaces the workers one at a time: each old one retires once its successor is serving. If a successor cannot
   * start, resolves with the reason and keeps the remaining workers.
   */
  replaceAll: () => Promise<string | undefined>;
  /** Makes all workers report to load balancers that the service will stop, while they still serve. */
  delayShutdown: () => void;
  /** The figures of all workers, including those that have exited. */
  readFigures: () => Promise<Figures[]>;
  /**
   * Stops all workers after their requests in flight. With `isGentle`, idle connections are left to close by
   * themselves.
   */
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
      // It exited while its successor was starting, so nothing has replaced it yet.
      if (!workers.has(old)) await fill();
      return asError(error).message;
    }
    await old.shutDown("retire", END_MS);
  }
  return undefined;
}

/** Adds a worker to `workers` until it exits. */
function addWorker(workers: Set<PoolWorker>, worker: PoolWorker): PoolWorker {
  workers.add(worker);
  void worker.exited.then(() => workers.delete(worker));
  return worker;
}

/** Creates a pool of worker processes that share one port. A lost worker is replaced at once. */
export function createWorkerPool(options: Options): WorkerPool {
  const { program, size, assignment, hasRoom = () => true, onUnrecoverable } = options;
  const workers = new Set<PoolWorker>();
  const dispatcher = createDispatcher(workers, hasRoom);
  let isStopped = false;
  let isDelaying = false;
  const isStopping = () => isStopped;
  const figures = createFiguresOfWorkers(workers);

  async function startOne(attempts: number): Promise<void> {
    for (let left = attempts - 1; ; left -= 1) {
      const worker = figures.follow(addWorker(workers, startWorker(program, assignment)));
      dispatcher.follow(worker);
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
