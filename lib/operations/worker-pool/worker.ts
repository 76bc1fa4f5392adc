import cluster, { type Worker } from "node:cluster";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

import type { Figures } from "@/lib/platform/metrics";
import { createFiguresRequest } from "./figures-request";
import { watchForHang } from "./hang-watch";
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
  /** Whether it answers pings: one that does not gets connections only when no other takes them. */
  isResponsive: () => boolean;
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
export type Program = {
  role: WorkerRole;
  file: string;
  /** Time between two pings. */
  pingIntervalMs?: number;
};

/** Space for new objects is for processes with many requests in flight: pages are rendered few at a time. */
const flagsOf = (role: WorkerRole): string[] =>
  role === "pages" ? process.execArgv.filter((flag) => !flag.includes("semi-space-size")) : process.execArgv;

const exitOf = (child: Worker): Promise<string> =>
  new Promise((resolve) => {
    child.once("exit", (code: number, signal: NodeJS.Signals | null) => {
      resolve(`it exited with ${signal ?? `code ${code}`}`);
    });
    child.on("error", (error) => {
      // A process that could not be spawned has no exit event.
      if (child.process.pid === undefined) resolve(error.message);
    });
  });

function killWhenHung(child: Worker, intervalMs: number | undefined, giveReason: (reason: string) => void) {
  return watchForHang({
    ping() {
      sendToWorker(child, { kind: "ping" });
    },
    onHung(silentMs) {
      giveReason(`it did not answer for ${silentMs / 1000} s and was killed`);
      child.process.kill("SIGKILL");
    },
    intervalMs,
  });
}

/** Starts a worker process. One that has hung is killed. */
export function startWorker({ role, file, pingIntervalMs }: Program, assignment: Assignment): PoolWorker {
  // It holds for what is forked from now on.
  cluster.setupPrimary({ exec: file, args: [], execArgv: flagsOf(role) });
  const child = cluster.fork(environmentOf(role));
  let reason: string | undefined;
  let isTaking = false;
  const asked = createFiguresRequest(() => {
    sendToWorker(child, { kind: "figures" });
  });
  let hangWatch: ReturnType<typeof watchForHang> | undefined;
  const exited = exitOf(child).then((how) => {
    hangWatch?.stop();
    return reason ?? how;
  });
  const serving = new Promise<void>((resolve, reject) => {
    onWorkerMessage(child, (message) => {
      if (message.kind === "ready") sendToWorker(child, { kind: "start", assignment });
      else if (message.kind === "serving") {
        isTaking = true;
        // Not before: what it loads at the start takes turns of seconds.
        hangWatch = killWhenHung(child, pingIntervalMs, (why) => (reason = why));
        resolve();
      } else if (message.kind === "pong") hangWatch?.noteAnswer();
      else if (message.kind === "figures") asked.receive(message.figures);
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
    isResponsive: () => hangWatch?.isSuspect() !== true,
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
