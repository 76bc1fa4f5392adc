const NICE_STEPS = [1, 2, 5, 10] as const;
const MAX_LINES = 4;

/** Round values from zero to at least `max`, for grid lines. */
export function chartLines(max: number): number[] {
  const rough = Math.max(max, 1) / MAX_LINES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, (NICE_STEPS.find((nice) => nice * power >= rough) ?? 10) * power);
  const count = Math.max(1, Math.ceil(Math.max(max, 1) / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
