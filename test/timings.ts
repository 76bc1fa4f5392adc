import type { Timings } from "@/lib/contract/signals";

/** Timings with one duration for each of the signal groups, as the component sends them: 0 where `timings` has none. */
export const timingsFor = (signals: object, { total, challenge, signals: durations }: Timings = QUICK): Timings => ({
  total,
  challenge,
  signals: Object.fromEntries(Object.keys(signals).map((name) => [name, { ...durations }[name] ?? 0])),
});

/** A run too quick to be recognised by its durations. */
const QUICK: Timings = { total: 80, challenge: 20, signals: {} };
