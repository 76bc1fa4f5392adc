/** A share with its confidence interval of at least 95 %. */
export type Measured = {
  /** Number of visits, and of their devices, which determine the interval. */
  visits: number;
  devices: number;
  share: number;
  low: number;
  high: number;
};

/** Probability on each side of a 95 % interval. */
const TAIL = 0.025;

/** Lanczos coefficients for g = 7. Source: Numerical Recipes, third edition, section 6.1. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

function logGamma(x: number): number {
  const shifted = x - 1;
  const sum = LANCZOS.reduce(
    (all, coefficient, index) => (index === 0 ? coefficient : all + coefficient / (shifted + index)),
    0,
  );
  const t = shifted + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(sum);
}

const TINY = 1e-300;
const TERMS = 500;

/** Continued fraction of the incomplete beta function by Lentz's method. Source: as above, section 6.4. */
function betaFraction(a: number, b: number, x: number): number {
  const nonZero = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= TERMS; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let factor = 1;
    for (const numerator of [even, odd]) {
      d = 1 / nonZero(1 + numerator * d);
      c = nonZero(1 + numerator / c);
      factor = c * d;
      result *= factor;
    }
    if (Math.abs(factor - 1) < 1e-12) break;
  }
  return result;
}

/** Cumulative distribution function of a beta distribution. */
function betaBelow(a: number, b: number, x: number): number {
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(a, b, x)) / a : 1 - (front * betaFraction(b, a, 1 - x)) / b;
}

/** Quantile function of a beta distribution. */
function betaQuantile(a: number, b: number, share: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (betaBelow(a, b, middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Exact confidence interval of a share, which is also valid for few cases and near 0 and 1. Source: Clopper and Pearson
 * (1934), Biometrika 26, 404-413.
 *
 * @param hits may be fractional, if cases have weights
 */
export const exactInterval = (hits: number, cases: number): { low: number; high: number } => ({
  low: cases <= 0 || hits <= 0 ? 0 : betaQuantile(hits, cases - hits + 1, TAIL),
  high: cases <= 0 || hits >= cases ? 1 : betaQuantile(hits + 1, cases - hits, 1 - TAIL),
});

/** A number of visits, and of their devices. */
export type Count = { visits: number; devices: number };

/**
 * Share of `hits` among `visits`. Visits of one device are alike, so the interval counts each device once: a labelled
 * device with a hundred visits proves no more than one with a single visit. Undefined without visits.
 */
export function measure(hits: number, { visits, devices }: Count): Measured | undefined {
  if (visits === 0) return undefined;
  const share = hits / visits;
  return { visits, devices, share, ...exactInterval(share * devices, devices) };
}
