import type { Timings } from "@/lib/contract/signals";

/**
 * The longest durations of a run, each rounded to one byte of a signed 64-bit number: 16 steps for a doubling. Runs of
 * one machine are compared by them when none of their durations are equal.
 */
const GROUPS = ["worker", "uaData", "webgl", "canvas", "iframe", "fonts"] as const;
const STEPS_PER_DOUBLING = 16;
/** Below this, in milliseconds, the steps are finer than the clock and count for less. */
const SHORT_MS = 2;
const MAX_STEP = 255;

/** Number of durations in a sketch, each a byte. */
export const SKETCHED = 2 + GROUPS.length;

/**
 * Durations are nearly equal up to a factor of 1.35. Of the pairs of runs of one Chromium on one machine, 3 in 100 were
 * that near in all durations while it was idle, and fewer than 1 in 100 while it was busy (30 runs; Firefox alike).
 */
export const NEAR_STEPS = 7;

/** A run whose durations are mostly shorter is near any other such run. */
const LONG = { ms: 8, durations: 5 } as const;

const stepOf = (ms: number): number =>
  Math.min(MAX_STEP, Math.round(STEPS_PER_DOUBLING * Math.log2(1 + ms / SHORT_MS)));

/** The sketch of a run. Undefined if too few of its durations are long enough to differ between runs of one machine. */
export function sketchOf({ total, challenge, signals }: Timings): bigint | undefined {
  const durations = [total, challenge, ...GROUPS.map((name) => signals[name] ?? 0)];
  if (durations.filter((ms) => ms >= LONG.ms).length < LONG.durations) return undefined;
  return BigInt.asIntN(
    64,
    durations.reduce((sketch, ms) => (sketch << 8n) | BigInt(stepOf(ms)), 0n),
  );
}
