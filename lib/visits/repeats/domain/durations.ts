import type { Timings } from "@/lib/contract/signals";

/**
 * Below so many bits two honest visits of one machine may well show the same durations: nothing is concluded from them.
 */
const MIN_BITS = 9;
/** Step of the clock under Firefox's `resistFingerprinting`, in milliseconds. */
const RESISTED_STEP_MS = 1000 / 60;
/** The finest step that a browser's clock has without isolation, in milliseconds. */
const FINE_STEP_MS = 0.1;
/**
 * Share of a duration by which it varies between two visits, as entropy sees it. With it the estimate stays below the
 * collision entropy that was measured on 60 visits each of one Chromium and one Firefox: docs/decisions/0038.
 */
const VARIATION = 0.4;

export type Durations = {
  /** One text for the groups alone, and one for the whole run; nothing where equality would say nothing. */
  groups: string | undefined;
  run: string | undefined;
  /** Least bits by which two visits of one machine differ in each. */
  groupBits: number;
  runBits: number;
};

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

/** The step of the clock that counted the durations, in milliseconds: browsers that hide time count in coarse ones. */
export function clockStepMs(durations: readonly number[]): number {
  const counted = durations.filter((duration) => duration > 0);
  if (counted.length === 0) return RESISTED_STEP_MS;
  const isResisted = counted.every(
    (duration) => Math.abs(duration - Math.round(duration / RESISTED_STEP_MS) * RESISTED_STEP_MS) <= 0.5,
  );
  if (isResisted) return Math.max(RESISTED_STEP_MS, ...(counted.every(Number.isInteger) ? [divisorOf(counted)] : []));
  return counted.every(Number.isInteger) ? divisorOf(counted) : FINE_STEP_MS;
}

const divisorOf = (durations: readonly number[]) => durations.reduce(greatestDivisor, 0);

const bitsOf = (durations: readonly number[], stepMs: number): number =>
  durations.reduce((bits, duration) => bits + Math.log2(1 + (VARIATION * duration) / stepMs), 0);

/**
 * What the durations of a visit say when they come again to the millisecond. The total is left out of the bits: it
 * follows from the slowest group.
 */
export function describeDurations({ total, challenge, signals }: Timings): Durations {
  const groups = Object.entries(signals).sort(([one], [other]) => (one < other ? -1 : 1));
  const values = groups.map(([, duration]) => duration);
  const stepMs = clockStepMs([total, challenge, ...values]);
  const groupBits = bitsOf(values, stepMs);
  const runBits = groupBits + bitsOf([challenge], stepMs);
  const isTelling = groupBits >= MIN_BITS;
  const text = JSON.stringify(groups);
  return {
    groups: isTelling ? text : undefined,
    run: isTelling ? JSON.stringify([total, challenge, text]) : undefined,
    groupBits,
    runBits,
  };
}
