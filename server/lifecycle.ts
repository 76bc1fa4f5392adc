import { isLateDriverWrite } from "@/db/client";
import { createStopper, type Stopper } from "@/lib/interfaces/http/server/stopper";
import { createStopSignals, isWorker, type PrimaryCommand, sendToPrimary } from "@/lib/operations/worker-pool";
import { log } from "@/lib/platform/log";

const INTERRUPTED = 130;

/** How this process stops and is replaced. */
export type Lifecycle = {
  /** Closes what was opened, in reverse order. */
  stopper: Stopper;
  /** Whether a newer build of this server takes over: it finds the database running. */
  hasSuccessor: () => boolean;
  /** Whether another worker has taken over: this one answers its clients until they have turned to that. */
  isRetiring: () => boolean;
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

/** Runs the process: `start`, then signals and commands until one of them ends it. */
export function run(start: (lifecycle: Lifecycle) => Promise<void>): void {
  const stopper = createStopper();
  let ending: Command["kind"] | undefined;
  // Without a listener from the beginning SIGUSR2 would end a process that is still starting.
  let replace = () => {
    if (!isWorker()) say("Still starting: nothing to replace yet");
  };
  const lifecycle: Lifecycle = {
    stopper,
    hasSuccessor: () => ending === "make way",
    isRetiring: () => ending === "retire",
    throwIfStopping() {
      if (stopper.isStopping()) throw new Error("stopped while starting");
    },
    onReplace(then) {
      replace = then;
    },
    finish(code) {
      void stopper.stop(starting).then(() => process.exit(code));
    },
  };
  const onSignal = createStopSignals({
    stop() {
      if (!stopper.isStopping()) say("Stopping: requests in flight are answered first");
      lifecycle.finish(0);
    },
    abort: () => process.exit(INTERRUPTED),
  });
  // A signal to the whole process group is for the primary, which stops a worker once it gives it nothing more.
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, isWorker() ? () => undefined : onSignal);
  process.on("SIGUSR2", () => {
    replace();
  });
  // Commands of the primary, or of the runner in development.
  process.on("message", (command: Command) => {
    if (command.kind === "start" || command.kind === "connection") return;
    ending = command.kind;
    lifecycle.finish(0);
  });
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (error: unknown) => {
      if (isLateDriverWrite(error)) log.warn({ err: error }, "a connection to the database was gone");
      else {
        log.fatal({ err: error }, "unexpected failure");
        lifecycle.finish(1);
      }
    });
  }
  const starting = start(lifecycle);
  starting.catch(async (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    if (isWorker()) await sendToPrimary({ kind: "failed", reason });
    else if (!stopper.isStopping()) say(`Imprint could not start: ${reason}`);
    log.debug({ err: error }, "start failed");
    lifecycle.finish(1);
  });
}
