import cluster, { type Worker } from "node:cluster";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

import type { Figures } from "@/lib/platform/metrics";
import { describeExit } from "./describe-exit";
import { createFiguresRequest } from "./figures-request";
import { createHandover } from "./handover";
import { watchForHang } from "./hang-watch";
import { type Assignment, environmentOf, onWorkerMessage, sendToWorker, type WorkerRole } from "./messages";

/** One worker process of a pool. */
export type PoolWorker = {
  processId: number | undefined;
  /** Resolves when it is serving. @throws Error with its own reason, or how it exited */
  serving: Promise<void>;
  /** Resolves with how it exited. */
  exited: Promise<string>;
  /** Whether it was asked to exit and must not be replaced. */
  isShuttingDown: boolean;
  /** Whether it answers pings. One that does not gets connections only if no other worker takes them. */
  isResponsive: () => boolean;
  /** Passes it a connection; false if it accepts none. */
  take: (connection: Socket) => boolean;
  /** Number of connections that wait in this process to be sent to it. */
  waiting: () => number;
  /** Resolves after it has exited, with the connections that it was not sent. */
  left: Promise<Socket[]>;
  /** Makes it report to load balancers that the service will stop, while it still serves. */
  delayShutdown: () => void;
  /** Requests its figures; the last ones received if it does not answer in time. */
  readFigures: (timeoutMs: number) => Promise<Figures>;
  /** The last figures received from it. */
  lastFigures: () => Figures;
  /** Asks it to exit, and kills it after the timeout. */
  shutDown: (kind: Ending, timeoutMs: number) => Promise<void>;
};

/** The program of a worker. */
export type Program = {
  role: WorkerRole;
  file: string;
  /** Interval between pings. */
  pingIntervalMs?: number;
};

/** A larger young generation only helps processes with many requests in flight; pages are rendered a few at a time. */
const flagsOf = (role: WorkerRole): string[] =>
  role === "pages" ? process.execArgv.filter((flag) => !flag.includes("semi-space-size")) : process.execArgv;

const exitOf = (child: Worker): Promise<string> =>
  new Promise((resolve) => {
    child.once("exit", (code: number | null, signal: NodeJS.Signals | null) => {
      resolve(describeExit(code, signal));
    });
    child.on("error", (error) => {
      // A process that could not be spawned emits no exit event.
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

type Ending = "stop" | "retire";

/** Starts and ends the work of a process. Before that is ready no command reaches it. */
function createLife(child: Worker, assignment: Assignment) {
  let ending: Ending | undefined;
  let isReady = false;
  const sendEnding = () => {
    if (isReady && ending) sendToWorker(child, { kind: ending });
  };
  return {
    begin() {
      isReady = true;
      sendToWorker(child, { kind: "start", assignment });
      sendEnding();
    },
    end(kind: Ending) {
      ending = kind;
      sendEnding();
    },
    isEnding: () => ending !== undefined,
  };
}

/** Starts a worker process, which is killed if it hangs. */
export function startWorker({ role, file, pingIntervalMs }: Program, assignment: Assignment): PoolWorker {
  // Applies to all later forks.
  cluster.setupPrimary({ exec: file, args: [], execArgv: flagsOf(role) });
  const child = cluster.fork(environmentOf(role));
  let reason: string | undefined;
  let isTaking = false;
  const asked = createFiguresRequest(() => {
    sendToWorker(child, { kind: "figures" });
  });
  const life = createLife(child, assignment);
  let hangWatch: ReturnType<typeof watchForHang> | undefined;
  const exited = exitOf(child).then((how) => {
    hangWatch?.stop();
    return reason ?? how;
  });
  const serving = new Promise<void>((resolve, reject) => {
    onWorkerMessage(child, (message) => {
      if (message.kind === "ready") life.begin();
      else if (message.kind === "serving") {
        isTaking = !life.isEnding();
        // Only now, because loading at startup blocks the event loop for seconds.
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
  const handover = createHandover(child);
  const worker: PoolWorker = {
    processId: child.process.pid,
    serving,
    exited,
    isShuttingDown: false,
    isResponsive: () => hangWatch?.isSuspect() !== true,
    take(connection) {
      if (!isTaking || !child.isConnected()) return false;
      handover.send(connection);
      return true;
    },
    waiting: handover.waiting,
    left: handover.left,
    delayShutdown() {
      sendToWorker(child, { kind: "delay" });
    },
    lastFigures: asked.last,
    readFigures: (timeoutMs) => (isTaking ? asked.read(exited, timeoutMs) : Promise.resolve(asked.last())),
    async shutDown(kind, timeoutMs) {
      worker.isShuttingDown = true;
      isTaking = false;
      life.end(kind);
      const late = Symbol("late");
      if ((await Promise.race([exited, delay(timeoutMs, late, { ref: false })])) === late)
        child.process.kill("SIGKILL");
      await exited;
    },
  };
  return worker;
}
