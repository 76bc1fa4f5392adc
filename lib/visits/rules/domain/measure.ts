/** A share with the interval in which the true one lies in 95 of 100 cases. */
export type Measured = {
  /** Visits of which it is a share, and their devices, which carry the interval. */
  visits: number;
  devices: number;
  share: number;
  low: number;
  high: number;
};

/** Two-sided 95 % of the normal distribution. */
const Z = 1.959964;

/**
 * Wilson's score interval. Source: Wilson (1927), Journal of the American Statistical Association 22, 209-212; it keeps
 * its promise for few cases and for shares near 0 and 1, where the textbook interval does not.
 */
export function wilson(share: number, cases: number): { low: number; high: number } {
  if (cases <= 0) return { low: 0, high: 1 };
  const z2 = Z * Z;
  const centre = share + z2 / (2 * cases);
  const spread = Z * Math.sqrt((share * (1 - share)) / cases + z2 / (4 * cases * cases));
  const scale = 1 + z2 / cases;
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}

/** Visits and the devices that they are of. */
export type Count = { visits: number; devices: number };

/**
 * The share of `hits` among `visits`. Visits of one device are alike, so the interval counts each device once: a labelled
 * device that comes a hundred times proves no more than one that comes once. Nothing without any visit.
 */
export function measure(hits: number, { visits, devices }: Count): Measured | undefined {
  if (visits === 0) return undefined;
  const share = hits / visits;
  return { visits, devices, share, ...wilson(share, devices) };
}
