import { setTimeout as delay } from "node:timers/promises";

/** Pause after each piece of work, as a multiple of the time that it took. */
const PAUSE_FACTOR = 3;
/** A disk that hangs for minutes is no reason to wait for as long again. */
const MAX_PAUSE_MS = 2_000;

type Clock = { now: () => number; wait: (milliseconds: number) => Promise<unknown> };
const CLOCK: Clock = { now: () => performance.now(), wait: (milliseconds) => delay(milliseconds) };

/**
 * Returns a function to call after each piece of work, which resolves after a pause, so that a quarter of the time is
 * work. Work that other processes delay takes longer, and so does its pause.
 */
export function createPace({ now, wait }: Clock = CLOCK): () => Promise<void> {
  let workedFrom = now();
  return async () => {
    await wait(Math.min(MAX_PAUSE_MS, (now() - workedFrom) * PAUSE_FACTOR));
    workedFrom = now();
  };
}
