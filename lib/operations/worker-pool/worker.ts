import cluster from "node:cluster";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

import { type Assignment, giveConnection, onNotice, tellWorker } from "./assignment";

/** One worker process of a crew. */
export type Member = {
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
export function startMember(assignment: Assignment): Member {
  const worker = cluster.fork();
  let reason: string | undefined;
  let isTaking = false;
  const gone = new Promise<string>((resolve) => {
    worker.once("exit", (code: number, signal: NodeJS.Signals | null) => {
      resolve(reason ?? `it ended with ${signal ?? `code ${code}`}`);
    });
    worker.on("error", (error) => {
      // A process that could not be made never ends.
      if (worker.process.pid === undefined) resolve(error.message);
    });
  });
  const serving = new Promise<void>((resolve, reject) => {
    onNotice(worker, (notice) => {
      if (notice.kind === "asks") tellWorker(worker, { kind: "begin", assignment });
      else if (notice.kind === "serving") {
        isTaking = true;
        resolve();
      } else reason = notice.reason;
    });
    void gone.then((how) => {
      reject(new Error(how));
    });
  });
  const member: Member = {
    processId: worker.process.pid,
    serving,
    gone,
    isLeaving: false,
    take(connection) {
      if (!isTaking || !worker.isConnected()) return false;
      giveConnection(worker, connection);
      return true;
    },
    async dismiss(kind, timeoutMs) {
      member.isLeaving = true;
      isTaking = false;
      tellWorker(worker, { kind });
      const late = Symbol("late");
      if ((await Promise.race([gone, delay(timeoutMs, late, { ref: false })])) === late) worker.process.kill("SIGKILL");
      await gone;
    },
  };
  return member;
}
