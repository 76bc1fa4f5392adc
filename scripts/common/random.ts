import { createChance } from "@/lib/operations/demo/domain/chance";

/** Generates numbers in [0, 1) that depend only on the seed. */
export const randomOf = (seed: number): (() => number) => createChance(seed).next;

/** Seeded pseudo-random draws, so that every figure is reproducible. */
export type Random = {
  next: () => number;
  chance: (probability: number) => boolean;
  /** A whole number from 0 to below `bound`. */
  below: (bound: number) => number;
  /** An index drawn with the given weights. */
  weighted: (weights: readonly number[]) => number;
  exponential: (mean: number) => number;
  pick: <T>(items: readonly [T, ...T[]]) => T;
};

export const seededRandom = (seed: number): Random => randomBy(randomOf(Math.imul(seed, 0x9e3779b1)));

/** Draws based on numbers in [0, 1). */
export function randomBy(next: () => number): Random {
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    weighted(weights) {
      let left = next() * weights.reduce((sum, weight) => sum + weight, 0);
      const index = weights.findIndex((weight) => (left -= weight) < 0);
      return index === -1 ? weights.length - 1 : index;
    },
    exponential: (mean) => -mean * Math.log(1 - next()),
    pick: (items) => items[below(items.length)] ?? items[0],
  };
}
