/** Standard normal quantile for a two-sided 95 % interval. */
const Z = 1.959964;

/** Wilson score interval of a share, as fractions: also valid for small samples with none or all. */
export function interval(part: number, whole: number): { low: number; high: number } {
  if (whole === 0) return { low: 0, high: 1 };
  const share = part / whole;
  const spread = Z ** 2 / whole;
  const middle = (share + spread / 2) / (1 + spread);
  const half = (Z * Math.sqrt((share * (1 - share) + spread / 4) / whole)) / (1 + spread);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

const percent = (fraction: number) => (fraction * 100).toFixed(1);

/** "3 of 20 (5.2 to 36.0 %)" */
export function shareText(part: number, whole: number): string {
  const { low, high } = interval(part, whole);
  return whole === 0 ? "0 of 0" : `${part} of ${whole} (${percent(low)} to ${percent(high)} %)`;
}
