/** What visits are counted by. The order is stored, in codes: new ones come last. */
export const DIMENSIONS = [
  "reason",
  "rule",
  "surface",
  "app",
  "country",
  "network",
  "connection",
  "browser",
  "system",
  "device",
  "address",
  "account",
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Dimensions of so many values that only the most frequent of each hour and day are kept, alone and not in pairs. */
const MANY_VALUED = ["device", "address", "account"] as const satisfies readonly Dimension[];
export type ManyValued = (typeof MANY_VALUED)[number];
export type FewValued = Exclude<Dimension, ManyValued>;

export const isManyValued = (dimension: Dimension): dimension is ManyValued =>
  MANY_VALUED.some((each) => each === dimension);
export const FEW_VALUED = DIMENSIONS.filter((dimension): dimension is FewValued => !isManyValued(dimension));

const BASE = 16;
const position = (dimension: Dimension): number => 1 + DIMENSIONS.indexOf(dimension);

/** Slices without a dimension: all visits. */
export const TOTAL_CODE = 0;

/**
 * The code of slices by one or two dimensions. Of two, that which comes first in `DIMENSIONS` is the first of the slice;
 * rules in a pair with each other stand in the order of their ids.
 */
export function sliceCode(one: Dimension, other?: Dimension): number {
  if (other === undefined) return position(one) * BASE;
  const [first, second] = [position(one), position(other)].sort((a, b) => a - b);
  return (first ?? 0) * BASE + (second ?? 0);
}

/** Whether `one` is the second of the slices by both. */
export const isSecond = (one: Dimension, other: Dimension): boolean => position(one) > position(other);

/** Pairs that are kept: any two of few values, and rules that fired together. */
export const PAIRS: readonly (readonly [FewValued, FewValued])[] = FEW_VALUED.flatMap((one, index) =>
  FEW_VALUED.slice(index + 1).map((other) => [one, other] as const),
);
export const RULE_PAIR_CODE = sliceCode("rule", "rule");

export const MANY_VALUED_CODES = MANY_VALUED.map((dimension) => sliceCode(dimension));
/** Kept by the hour for as long as visits are: all visits, and those by one dimension of few values. */
export const LONG_CODES = [TOTAL_CODE, ...FEW_VALUED.map((dimension) => sliceCode(dimension))];
export const ALL_CODES = [
  ...LONG_CODES,
  ...PAIRS.map(([one, other]) => sliceCode(one, other)),
  RULE_PAIR_CODE,
  ...MANY_VALUED_CODES,
];

/** Days for which the other slices are kept by the hour. */
export const HOURLY_DAYS = 15;

/** Most values of a many-valued dimension that are kept of an hour, and of a day. */
export const KEPT_VALUES = { hour: 100, day: 300 } as const;
