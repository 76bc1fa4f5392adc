/** Pseudo-random numbers, reproducible for a seed. */
export type Chance = {
  /** At least 0, below 1. */
  next: () => number;
  whole: (below: number) => number;
  isTrue: (probability: number) => boolean;
  pick: <T>(from: readonly [T, ...T[]]) => T;
  /** `digits` hex digits. */
  hex: (digits: number) => string;
};

/** Source: Mulberry32, by Tommy Ettinger, in the public domain. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (below: number) => Math.floor(next() * below);
  return {
    next,
    whole,
    isTrue: (probability) => next() < probability,
    pick: (from) => from[whole(from.length)] ?? from[0],
    hex: (digits) => Array.from({ length: digits }, () => whole(16).toString(16)).join(""),
  };
}
