import cluster from "node:cluster";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

import type { Figures } from "@/lib/platform/metrics";
import { createFiguresRequest } from "./figures-request";
import {
  type Assignment,
  environmentOf,
  onWorkerMessage,
  sendConnection,
  sendToWorker,
  type WorkerRole,
} from "./messages";

/** One worker process of a pool. */
export type PoolWorker = {
  processId: number | undefined;
  /** Resolves when it serves. @throws Error with its own reason, or how it exited */
  serving: Promise<void>;
  /** Resolves with how it exited. */
  exited: Promise<string>;
  /** Whether it was asked to exit, so that it is not replaced. */
  isShuttingDown: boolean;
  /** Sends it a connection; false when it takes none. */
  take: (connection: Socket) => boolean;
  /** Has it tell load balancers that it will stop, while it serves on. */
  delayShutdown: () => void;
  /** Asks for its figures: those that it sends in time, else the last ones that it sent. */
  readFigures: (timeoutMs: number) => Promise<Figures>;
  /** The last figures that it sent. */
  lastFigures: () => Figures;
  /** Asks it to exit, and kills it after the time. */
  shutDown: (kind: "stop" | "retire", timeoutMs: number) => Promise<void>;
};

/** What runs as a worker. */
export type Program = { role: WorkerRole; file: string };

/** Space for new objects is for processes with many requests in flight: pages are rendered few at a time. */
const flagsOf = (role: WorkerRole): string[] =>
  role === "pages" ? process.execArgv.filter((flag) => !flag.includes("semi-space-size")) : process.execArgv;

/** Starts a worker process. */
export function startWorker({ role, file }: Program, assignment: Assignment): PoolWorker {
  // It holds for what is forked from now on.
  cluster.setupPrimary({ exec: file, args: [], execArgv: flagsOf(role) });
  const child = cluster.fork(environmentOf(role));
  let reason: string | undefined;
  let isTaking = false;
  const asked = createFiguresRequest(() => {
    sendToWorker(child, { kind: "figures" });
  });
  const exited = new Promise<string>((resolve) => {
    child.once("exit", (code: number, signal: NodeJS.Signals | null) => {
      resolve(reason ?? `it exited with ${signal ?? `code ${code}`}`);
    });
    child.on("error", (error) => {
      // A process that could not be spawned has no exit event.
      if (child.process.pid === undefined) resolve(error.message);
    });
  });
  const serving = new Promise<void>((resolve, reject) => {
    onWorkerMessage(child, (message) => {
      if (message.kind === "ready") sendToWorker(child, { kind: "start", assignment });
      else if (message.kind === "serving") {
        isTaking = true;
        resolve();
      } else if (message.kind === "figures") asked.receive(message.figures);
      else reason = message.reason;
    });
    void exited.then((how) => {
      reject(new Error(how));
    });
  });
  const worker: PoolWorker = {
    processId: child.process.pid,
    serving,
    exited,
    isShuttingDown: false,
    take(connection) {
      if (!isTaking || !child.isConnected()) return false;
      sendConnection(child, connection);
      return true;
    },
    delayShutdown() {
      sendToWorker(child, { kind: "delay" });
    },
    lastFigures: asked.last,
    readFigures: (timeoutMs) => (isTaking ? asked.read(exited, timeoutMs) : Promise.resolve(asked.last())),
    async shutDown(kind, timeoutMs) {
      worker.isShuttingDown = true;
      isTaking = false;
      sendToWorker(child, { kind });
      const late = Symbol("late");
      if ((await Promise.race([exited, delay(timeoutMs, late, { ref: false })])) === late)
        child.process.kill("SIGKILL");
      await exited;
    },
  };
  return worker;
}
