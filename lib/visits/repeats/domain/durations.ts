import type { Timings } from "@/lib/contract/signals";

/** With fewer bits, two honest visits of one machine may well have the same durations, so nothing is concluded. */
const MIN_BITS = 9;
/** Clock resolution with Firefox's `resistFingerprinting`, in milliseconds. */
const RESISTED_STEP_MS = 1000 / 60;
/** Finest clock resolution of a browser without isolation, in milliseconds. */
const FINE_STEP_MS = 0.1;
/**
 * Variation of a duration between two visits, as a share, in terms of entropy. With it, the estimate stays below the
 * collision entropy measured over 60 visits each of one Chromium and one Firefox; see docs/decisions/0038.
 */
const VARIATION = 0.4;

/** Whole runs are compared by their sketches, in which the challenge's duration is rounded to a twentieth. */
const CHALLENGE_MAX_BITS = 3;

export type Durations = {
  /** Text of the groups' durations, and of the whole run. Undefined if equality would prove nothing. */
  groups: string | undefined;
  run: string | undefined;
  /** Minimum bits in which two visits of one machine differ, for each of them. */
  groupBits: number;
  runBits: number;
};

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

/** Resolution of the clock that measured the durations, in milliseconds. Browsers that hide time use a coarse one. */
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
 * Describes a visit's durations for detecting exact repetitions. The total does not add bits, as it follows from the
 * slowest group.
 */
export function describeDurations({ total, challenge, signals }: Timings): Durations {
  const groups = Object.entries(signals).sort(([one], [other]) => (one < other ? -1 : 1));
  const values = groups.map(([, duration]) => duration);
  const stepMs = clockStepMs([total, challenge, ...values]);
  const groupBits = bitsOf(values, stepMs);
  const runBits = groupBits + Math.min(CHALLENGE_MAX_BITS, bitsOf([challenge], stepMs));
  const isTelling = groupBits >= MIN_BITS;
  const text = JSON.stringify(groups);
  return {
    groups: isTelling ? text : undefined,
    run: isTelling ? JSON.stringify([total, challenge, text]) : undefined,
    groupBits,
    runBits,
  };
}
