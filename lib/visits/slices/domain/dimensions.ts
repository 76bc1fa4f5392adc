/** What visits are counted by. The position of each is stored as part of a code, so new ones go at the end. */
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

/** Dimensions with so many values that only the most frequent per hour and day are kept, alone and not in pairs. */
const MANY_VALUED = ["device", "address", "account"] as const satisfies readonly Dimension[];
export type ManyValued = (typeof MANY_VALUED)[number];
export type FewValued = Exclude<Dimension, ManyValued>;

export const isManyValued = (dimension: Dimension): dimension is ManyValued =>
  MANY_VALUED.some((each) => each === dimension);
export const FEW_VALUED = DIMENSIONS.filter((dimension): dimension is FewValued => !isManyValued(dimension));

const BASE = 16;
const position = (dimension: Dimension): number => 1 + DIMENSIONS.indexOf(dimension);

/** Code of slices without a dimension, which count all visits. */
export const TOTAL_CODE = 0;

/**
 * Code of slices by one or two dimensions. The dimension that comes first in `DIMENSIONS` is the first of the slice.
 * Pairs of two rules are ordered by rule id.
 */
export function sliceCode(one: Dimension, other?: Dimension): number {
  if (other === undefined) return position(one) * BASE;
  const [first, second] = [position(one), position(other)].sort((a, b) => a - b);
  return (first ?? 0) * BASE + (second ?? 0);
}

/** Whether `one` is the second dimension of slices by both. */
export const isSecond = (one: Dimension, other: Dimension): boolean => position(one) > position(other);

/** Pairs that are kept: any two few-valued dimensions. Rules that fired together are kept too, as `RULE_PAIR_CODE`. */
export const PAIRS: readonly (readonly [FewValued, FewValued])[] = FEW_VALUED.flatMap((one, index) =>
  FEW_VALUED.slice(index + 1).map((other) => [one, other] as const),
);
export const RULE_PAIR_CODE = sliceCode("rule", "rule");

export const MANY_VALUED_CODES = MANY_VALUED.map((dimension) => sliceCode(dimension));
/** Slices kept by hour as long as visits are kept: all visits, and those by one few-valued dimension. */
export const LONG_CODES = [TOTAL_CODE, ...FEW_VALUED.map((dimension) => sliceCode(dimension))];
export const ALL_CODES = [
  ...LONG_CODES,
  ...PAIRS.map(([one, other]) => sliceCode(one, other)),
  RULE_PAIR_CODE,
  ...MANY_VALUED_CODES,
];

/** Days for which all other slices are kept by hour. */
export const HOURLY_DAYS = 15;

/** Maximum number of values of a many-valued dimension that are kept per hour and per day. */
export const KEPT_VALUES = { hour: 100, day: 300 } as const;
