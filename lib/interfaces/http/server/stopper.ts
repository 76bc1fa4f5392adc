import { setTimeout as delay } from "node:timers/promises";

import { log } from "@/lib/platform/log";

type Step = {
  name: string;
  timeoutMs: number;
  close: () => unknown;
  /** Time that earlier steps leave for this one. */
  reservedMs?: number;
};

/** Process managers wait for 45 seconds (docs/operations.md). */
const STOP_MS = 43_000;
/** The least that a step gets, however long the earlier ones took. */
const MIN_STEP_MS = 500;

async function closeOne({ name, timeoutMs: most, close }: Step, leftMs: number): Promise<void> {
  const timeoutMs = Math.min(most, Math.max(MIN_STEP_MS, leftMs));
  try {
    const late = Symbol("late");
    if ((await Promise.race([close(), delay(timeoutMs, late, { ref: false })])) === late) {
      log.warn({ step: name, timeoutMs }, "did not close in time");
    }
  } catch (error) {
    log.error({ err: error, step: name }, "could not be closed");
  }
}

const reservedBy = (groups: readonly Step[][]): number =>
  groups.reduce((sum, group) => sum + Math.max(...group.map(({ reservedMs = 0 }) => reservedMs)), 0);

/**
 * Registers resources as they are opened and closes them in reverse order, each step with a timeout, and all of them
 * within `stopMs`.
 */
export function createStopper(stopMs = STOP_MS) {
  const groups: Step[][] = [];
  let stopping: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    const endsAt = performance.now() + stopMs;
    for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
      const leftMs = endsAt - performance.now() - reservedBy(groups);
      await Promise.all(group.map((step) => closeOne(step, leftMs)));
    }
  }
  return {
    isStopping: () => stopping !== undefined,
    /** Steps given together are closed at the same time. */
    onStop: (...steps: [Step, ...Step[]]) => {
      groups.push(steps);
    },
    /** Waits for `starting` first, so that nothing is opened after the rest has been closed. */
    stop: (starting: Promise<unknown>) => (stopping ??= starting.catch(() => undefined).then(closeAll)),
  };
}

export type Stopper = ReturnType<typeof createStopper>;
