const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds for which a replaced key is still accepted. */
export const OVERLAP_SECONDS = {
  "0": 0,
  "15m": 15 * MINUTE,
  "1h": HOUR,
  "6h": 6 * HOUR,
  "24h": 24 * HOUR,
  "7d": 7 * 24 * HOUR,
} as const;

export type Overlap = keyof typeof OVERLAP_SECONDS;

export const DEFAULT_OVERLAP: Overlap = "24h";
