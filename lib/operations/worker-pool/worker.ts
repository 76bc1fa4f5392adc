import cluster from "node:cluster";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

import { type Assignment, giveConnection, onWorkerMessage, sendToWorker } from "./messages";

/** One worker process of a pool. */
export type PoolWorker = {
  processId: number | undefined;
  /** Resolves when it serves. @throws Error with its own words, or how it ended */
  serving: Promise<void>;
  /** Resolves with how it ended. */
  gone: Promise<string>;
  /** Whether it was asked to end, so that nobody has to take its place. */
  isLeaving: boolean;
  /** Gives it a connection; whether it takes any now. */
  take: (connection: Socket) => boolean;
  /** Asks it to end, and ends it when it has not after the time. */
  dismiss: (kind: "stop" | "retire", timeoutMs: number) => Promise<void>;
};

/** Starts a worker process. */
export function startWorker(assignment: Assignment): PoolWorker {
  const child = cluster.fork();
  let reason: string | undefined;
  let isTaking = false;
  const gone = new Promise<string>((resolve) => {
    child.once("exit", (code: number, signal: NodeJS.Signals | null) => {
      resolve(reason ?? `it ended with ${signal ?? `code ${code}`}`);
    });
    child.on("error", (error) => {
      // A process that could not be made never ends.
      if (child.process.pid === undefined) resolve(error.message);
    });
  });
  const serving = new Promise<void>((resolve, reject) => {
    onWorkerMessage(child, (message) => {
      if (message.kind === "asks") sendToWorker(child, { kind: "begin", assignment });
      else if (message.kind === "serving") {
        isTaking = true;
        resolve();
      } else reason = message.reason;
    });
    void gone.then((how) => {
      reject(new Error(how));
    });
  });
  const worker: PoolWorker = {
    processId: child.process.pid,
    serving,
    gone,
    isLeaving: false,
    take(connection) {
      if (!isTaking || !child.isConnected()) return false;
      giveConnection(child, connection);
      return true;
    },
    async dismiss(kind, timeoutMs) {
      worker.isLeaving = true;
      isTaking = false;
      sendToWorker(child, { kind });
      const late = Symbol("late");
      if ((await Promise.race([gone, delay(timeoutMs, late, { ref: false })])) === late) child.process.kill("SIGKILL");
      await gone;
    },
  };
  return worker;
}
