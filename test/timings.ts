import type { Timings } from "@/lib/contract/signals";

/** No worker starts in no time. */
const WORKER_MS = 61;

/**
 * Timings with one duration for each of the signal groups, as the component sends them. Where `timings` has none, 0,
 * and for the worker that of a usual run.
 */
export const timingsFor = (signals: object, { total, challenge, signals: durations }: Timings = QUICK): Timings => {
  const measured: Record<string, number> = { worker: Math.min(total, WORKER_MS), ...durations };
  return {
    total,
    challenge,
    signals: Object.fromEntries(Object.keys(signals).map((name) => [name, measured[name] ?? 0])),
  };
};

/** A run too quick to be recognised by its durations. */
const QUICK: Timings = { total: 80, challenge: 20, signals: {} };
