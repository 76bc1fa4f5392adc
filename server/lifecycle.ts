import { isLateDriverWrite } from "@/db/client";
import { setTimeout as delay } from "node:timers/promises";

import { createStopper, type Stopper } from "@/lib/interfaces/http/server/stopper";
import { createStopSignals, isWorker, type PrimaryCommand, sendToPrimary } from "@/lib/operations/worker-pool";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";

const INTERRUPTED = 130;

/** How this process stops or is replaced. */
export type Lifecycle = {
  /** Closes opened resources in reverse order. */
  stopper: Stopper;
  /** Whether a newer build of this server takes over. The embedded database is then left running for it. */
  hasSuccessor: () => boolean;
  /** Whether load balancers may send requests; false once a stop was requested. */
  isReady: () => boolean;
  /** Whether clients had time to move elsewhere, or can. Idle connections are then left to close by themselves. */
  isDrainGentle: () => boolean;
  /** Sets the callback for the start of the shutdown delay. */
  onShutdownDelay: (begin: () => void) => void;
  /** @throws Error if the process was asked to stop in the meantime */
  throwIfStopping: () => void;
  /** Sets the handler of SIGUSR2. */
  onReplace: (replace: () => void) => void;
  /** Shuts down in order and exits with the code. */
  finish: (code: number) => void;
};

/** Prints a line for whoever started the service. */
export const say = (line: string) => process.stdout.write(`${line}\n`);

type Command = PrimaryCommand | { kind: "make way" };

/** Creates the lifecycle of this process and the functions that drive it. */
function createLifecycle() {
  const stopper = createStopper();
  let ending: Command["kind"] | undefined;
  let isDelaying = false;
  let isServing = false;
  let starting: Promise<void> = Promise.resolve();
  let beginDelay = (): void => undefined;
  // Without an early listener, SIGUSR2 would terminate a process that is still starting.
  let replace = () => {
    if (!isWorker()) say("Still starting: nothing to replace yet");
  };
  const lifecycle: Lifecycle = {
    stopper,
    hasSuccessor: () => ending === "make way",
    // A retiring worker stays ready: its clients reach its successor at the same address.
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
      say(`Stopping in ${delaySeconds} s: /readyz answers 503, requests are still served`);
      await delay(delaySeconds * 1000);
    }
    say("Stopping: requests in flight are answered first");
    lifecycle.finish(0);
  }
  /** Handles a command from the primary, or from the runner in development. */
  function handleCommand({ kind }: Command): void {
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
    handleCommand,
    replace: () => {
      replace();
    },
  };
}

/** Runs the process: `start`, then signals and commands until one ends it. */
export function run(start: (lifecycle: Lifecycle) => Promise<void>): void {
  // The reader of the output may be gone, or its disk full: lines are then lost, but the service keeps running.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
  const { lifecycle, begin, stop, handleCommand, replace } = createLifecycle();
  const onSignal = createStopSignals({ stop: () => void stop(), abort: () => process.exit(INTERRUPTED) });
  // A signal to the whole process group is handled by the primary, which stops each worker once it no longer assigns
  // connections to it.
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, isWorker() ? () => undefined : onSignal);
  process.on("SIGUSR2", replace);
  process.on("message", handleCommand);
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (error: unknown) => {
      if (isLateDriverWrite(error)) log.warn({ err: error }, "a database connection was already closed");
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
