import { isLateDriverWrite } from "@/db/client";
import { setTimeout as delay } from "node:timers/promises";

import { createStopper, type Stopper } from "@/lib/interfaces/http/server/stopper";
import { createStopSignals, isWorker, type PrimaryCommand, sendToPrimary } from "@/lib/operations/worker-pool";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";

const INTERRUPTED = 130;

/** How this process stops and is replaced. */
export type Lifecycle = {
  /** Closes what was opened, in reverse order. */
  stopper: Stopper;
  /** Whether a newer build of this server takes over: it finds the database running. */
  hasSuccessor: () => boolean;
  /** Whether load balancers may send requests: not once a stop was asked for. */
  isReady: () => boolean;
  /** Whether clients had, or have, somewhere else to turn to: idle connections are then left to end by themselves. */
  isDrainGentle: () => boolean;
  /** Sets what is done when the shutdown delay begins. */
  onShutdownDelay: (begin: () => void) => void;
  /** @throws Error when the process was asked to stop meanwhile */
  throwIfStopping: () => void;
  /** Sets what SIGUSR2 does. */
  onReplace: (replace: () => void) => void;
  /** Stops in order, and ends with the code. */
  finish: (code: number) => void;
};

/** A line for whoever started the service. */
export const say = (line: string) => process.stdout.write(`${line}\n`);

type Command = PrimaryCommand | { kind: "make way" };

/** The lifecycle of this process, and what changes it. */
function createLifecycle() {
  const stopper = createStopper();
  let ending: Command["kind"] | undefined;
  let isDelaying = false;
  let isServing = false;
  let starting: Promise<void> = Promise.resolve();
  let beginDelay = (): void => undefined;
  // Without a listener from the beginning SIGUSR2 would end a process that is still starting.
  let replace = () => {
    if (!isWorker()) say("Still starting: nothing to replace yet");
  };
  const lifecycle: Lifecycle = {
    stopper,
    hasSuccessor: () => ending === "make way",
    // A retired worker's clients reach its successor at the same address.
    isReady: () => !isDelaying && (ending === "retire" || !stopper.isStopping()),
    isDrainGentle: () => ending === "retire" || isDelaying,
    onShutdownDelay: (begin) => (beginDelay = begin),
    throwIfStopping() {
      if (stopper.isStopping()) throw new Error("stopped while starting");
    },
    onReplace: (then) => (replace = then),
    finish(code) {
      void stopper.stop(starting).then(() => process.exit(code));
    },
  };
  async function stop(): Promise<void> {
    if (stopper.isStopping() || isDelaying) return;
    const delaySeconds = isServing ? env.SHUTDOWN_DELAY_SECONDS : 0;
    if (delaySeconds > 0) {
      isDelaying = true;
      beginDelay();
      say(`Stopping in ${delaySeconds} s: /readyz answers 503, requests are served on`);
      await delay(delaySeconds * 1000);
    }
    say("Stopping: requests in flight are answered first");
    lifecycle.finish(0);
  }
  /** A command of the primary, or of the runner in development. */
  function obey({ kind }: Command): void {
    if (kind === "start" || kind === "connection" || kind === "figures" || kind === "ping") return;
    if (kind === "delay") isDelaying = true;
    else {
      ending = kind;
      lifecycle.finish(0);
    }
  }
  function begin(start: (lifecycle: Lifecycle) => Promise<void>): Promise<void> {
    starting = start(lifecycle).then(() => {
      isServing = true;
    });
    return starting;
  }
  return {
    lifecycle,
    begin,
    stop,
    obey,
    replace: () => {
      replace();
    },
  };
}

/** Runs the process: `start`, then signals and commands until one of them ends it. */
export function run(start: (lifecycle: Lifecycle) => Promise<void>): void {
  // Whoever reads the output may be gone, or the disk below it full: lines are lost, and the service goes on.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
  const { lifecycle, begin, stop, obey, replace } = createLifecycle();
  const onSignal = createStopSignals({ stop: () => void stop(), abort: () => process.exit(INTERRUPTED) });
  // A signal to the whole process group is for the primary, which stops a worker once it gives it nothing more.
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, isWorker() ? () => undefined : onSignal);
  process.on("SIGUSR2", replace);
  process.on("message", obey);
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (error: unknown) => {
      if (isLateDriverWrite(error)) log.warn({ err: error }, "a connection to the database was gone");
      else {
        log.fatal({ err: error }, "unexpected failure");
        lifecycle.finish(1);
      }
    });
  }
  begin(start).catch(async (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    if (isWorker()) await sendToPrimary({ kind: "failed", reason });
    else if (!lifecycle.stopper.isStopping()) say(`Imprint could not start: ${reason}`);
    log.debug({ err: error }, "start failed");
    lifecycle.finish(1);
  });
}
