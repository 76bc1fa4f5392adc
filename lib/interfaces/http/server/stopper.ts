import { setTimeout as delay } from "node:timers/promises";

import { log } from "@/lib/platform/log";

type Step = { name: string; timeoutMs: number; close: () => unknown };

/** Registers resources as they are opened and closes them in reverse order, each step with a timeout. */
export function createStopper() {
  const steps: Step[] = [];
  let stopping: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    for (const { name, timeoutMs, close } of steps.reverse()) {
      try {
        const late = Symbol("late");
        if ((await Promise.race([close(), delay(timeoutMs, late, { ref: false })])) === late) {
          log.warn({ step: name, timeoutMs }, "did not close in time");
        }
      } catch (error) {
        log.error({ err: error, step: name }, "could not be closed");
      }
    }
  }
  return {
    isStopping: () => stopping !== undefined,
    onStop: (step: Step) => {
      steps.push(step);
    },
    /** Waits for `starting` first, so that nothing is opened after the rest has been closed. */
    stop: (starting: Promise<unknown>) => (stopping ??= starting.catch(() => undefined).then(closeAll)),
  };
}

export type Stopper = ReturnType<typeof createStopper>;
